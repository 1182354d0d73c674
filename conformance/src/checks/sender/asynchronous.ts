import { setTimeout as pause } from 'node:timers/promises';

import type { Check } from '../../check.ts';
import { Inconclusive, Violation } from '../../findings.ts';
import { senderCheck } from './sender-check.ts';
import { onStage } from './stage.ts';
import type { SenderStage } from './stage.ts';

/** Less than the suite waits for any answer of the control interface. */
const PATIENCE_MILLISECONDS = 5_000;
const ARRIVAL_MILLISECONDS = 1_000;

/** Runs whose endpoint leaves every delivery unanswered. */
export const senderAsynchronyChecks: readonly Check[] = [
  senderCheck(
    'asynchronous',
    ['delivery.asynchronous'],
    'a run is created and moves on while the deliveries of its events are unanswered',
    (context) =>
      onStage(
        context,
        async (stage) => {
          const run = await withoutAnswer(stage, 'the creation of a run', stage.createRun());
          if (stage.listener.held === 0) await stage.listener.arrival(ARRIVAL_MILLISECONDS);
          await stage.until(`an event of ${run.id}`, () => stage.listener.held > 0);
          for (const status of ['running', 'finalizing', 'completed']) {
            await withoutAnswer(stage, `a move to ${status}`, stage.move(run, status));
          }
        },
        { script: () => 'hold' },
      ),
  ),
];

/** What has to end while its deliveries are held; red when it ends as soon as they are answered, and not before. */
async function withoutAnswer<T>(
  { listener }: SenderStage,
  what: string,
  work: Promise<T>,
): Promise<T> {
  const patience = pause(PATIENCE_MILLISECONDS, false, { ref: false });
  if (await Promise.race([work.then(() => true), patience])) return work;
  const { held } = listener;
  listener.release();
  await work;
  if (held === 0) throw new Inconclusive(`${what} took longer than ${PATIENCE_MILLISECONDS} ms`);
  throw new Violation({
    expected: `${what} that waits for no delivery`,
    actual: `it ended when ${held} deliveries were answered, ${PATIENCE_MILLISECONDS} ms after its begin`,
  });
}
