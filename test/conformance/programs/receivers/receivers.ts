import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { startReceiver } from '../../../proof/receivers/start-receiver.ts';
import { dyingReceiver } from './dying.ts';

/** Receivers that strangers could have written, by name. Each has the secret of the proof. */
export const RECEIVERS = {
  right: () => startReceiver('fastify'),
  dying: dyingReceiver,
} satisfies Readonly<Record<string, () => Promise<RunningReceiver>>>;

export type ReceiverName = keyof typeof RECEIVERS;
