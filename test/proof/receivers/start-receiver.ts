import { startExpressReceiver } from './express-receiver.ts';
import { startFastifyReceiver } from './fastify-receiver.ts';
import { startHonoReceiver } from './hono-receiver.ts';
import { startOwnReceiver } from './own-receiver.ts';
import { startPythonReceiver } from './python-receiver.ts';
import type { RunningReceiver } from './running-receiver.ts';

/** The right receivers of the proof: the one of this repository, and plain ones that do not use it. */
const RECEIVERS = {
  own: () => startOwnReceiver(),
  express: startExpressReceiver,
  fastify: startFastifyReceiver,
  hono: startHonoReceiver,
  python: startPythonReceiver,
};

export type ReceiverName = keyof typeof RECEIVERS;

/** Starts a right receiver. */
export function startReceiver(name: ReceiverName): Promise<RunningReceiver> {
  return RECEIVERS[name]();
}
