import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { startExpressReceiver } from '../../../proof/receivers/express-receiver.ts';
import { startFastifyReceiver } from '../../../proof/receivers/fastify-receiver.ts';
import { startHonoReceiver } from '../../../proof/receivers/hono-receiver.ts';
import { startOwnReceiver } from '../../../proof/receivers/own-receiver.ts';
import { startPythonReceiver } from '../../../proof/receivers/python-receiver.ts';
import { comparingReceiver, MISTAKES, receiverThat } from './comparing.ts';
import { dyingReceiver } from './dying.ts';
import {
  fastifyReceiver,
  octokitReceiver,
  shimmedReceiver,
  standardReceiver,
  stripeReceiver,
} from './foreign.ts';
import { banningReceiver, noTestsReceiver, refusingReceiver } from './guarded.ts';
import { interimReceiver } from './interim.ts';

/** One receiver to judge. */
export interface Order {
  /** A name of `RECEIVERS`. */
  readonly name: string;
  /** Whether the suite reads its observer. Default true. */
  readonly observed?: boolean;
  readonly only?: readonly string[];
  readonly concurrency?: number;
}

/** Receivers that strangers could have written, by name. Each has the secret of the proof. */
export const RECEIVERS: Readonly<Record<string, () => Promise<RunningReceiver>>> = {
  'right-express': startExpressReceiver,
  'right-fastify': startFastifyReceiver,
  'right-hono': startHonoReceiver,
  'right-python': startPythonReceiver,
  dying: dyingReceiver,
  interim: interimReceiver,
  fastify: fastifyReceiver,
  standardwebhooks: () => standardReceiver('standardwebhooks'),
  'standardwebhooks-shim': () => shimmedReceiver('standardwebhooks'),
  svix: () => standardReceiver('svix'),
  'svix-shim': () => shimmedReceiver('svix'),
  stripe: stripeReceiver,
  octokit: octokitReceiver,
  'no-tests': noTestsReceiver,
  bans: banningReceiver,
  'refuses-large': refusingReceiver,
  'own-with-another-secret': () => startOwnReceiver({ secret: 'whsec_b3RoZXIgc2VjcmV0' }),
  'own-not-started': () => startOwnReceiver({ isStarted: false }),
  'own-behind-a-parser': () => startOwnReceiver({ isParsed: true }),
  'accepts-all': () => receiverThat(() => true),
  'timestamps-only': () =>
    receiverThat(({ timestamp }) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300),
  'another-path': () => comparingReceiver(() => '', '/webhooks'),
  ...Object.fromEntries(
    Object.entries(MISTAKES).map(([name, expected]) => [name, () => comparingReceiver(expected)]),
  ),
};
