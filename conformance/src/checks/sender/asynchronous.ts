import { setTimeout as pause } from 'node:timers/promises';

import type { Check } from '../../check-kit/check.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { sender } from './sender-check.ts';
import { withRig } from './rig.ts';
import type { SenderRig } from './rig.ts';

/** Less than the time limit of a request to the control interface. */
const TIMEOUT_MILLISECONDS = 5_000;
const ARRIVAL_MILLISECONDS = 1_000;

/** Runs whose endpoint sends no responses. */
export const senderAsynchronyChecks: readonly Check[] = [
  sender.check({
    name: 'asynchronous',
    requirements: ['delivery.asynchronous'],
    title: 'a run is created and changes status while its deliveries get no response',
    run: (context) =>
      withRig(
        context,
        async (rig) => {
          const run = await whileHeld(rig, 'the creation of a run', rig.createRun());
          if (rig.listener.held === 0) await rig.listener.arrival(ARRIVAL_MILLISECONDS);
          await rig.until(`event of ${run.id}`, () => rig.listener.held > 0);
          for (const status of ['running', 'finalizing', 'completed'] as const) {
            await whileHeld(rig, `a move to ${status}`, rig.move(run, status));
          }
        },
        { script: () => 'hold' },
      ),
  }),
];

/** Work that must end while its deliveries are held; a violation when it ends only after their responses. */
async function whileHeld<T>({ listener }: SenderRig, what: string, work: Promise<T>): Promise<T> {
  const waitStrategy = pause(TIMEOUT_MILLISECONDS, false, { ref: false });
  if (await Promise.race([work.then(() => true), waitStrategy])) return work;
  const { held } = listener;
  listener.release();
  await work;
  if (held === 0)
    throw new Inconclusive(`Cannot judge: ${what} took longer than ${TIMEOUT_MILLISECONDS} ms.`);
  throw new Violation({
    expected: `${what} that does not wait for deliveries`,
    actual: `it ended after the responses to ${held} deliveries, ${TIMEOUT_MILLISECONDS} ms after its start`,
  });
}
