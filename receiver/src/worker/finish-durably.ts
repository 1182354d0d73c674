import { describeThrown } from '../thrown.ts';
import type { Finished, Next, Outcome } from '../stores/store.ts';
import type { HeldLease } from './held-lease.ts';
import type { WorkerSettings } from './worker-settings.ts';

/**
 * Writes outcomes, again and again while the store is down and the lease may still hold, so that a
 * short failure of the store does not call handlers again.
 */
export async function finishDurably(
  held: HeldLease,
  outcomes: readonly Outcome[],
  next: Next,
  {
    store,
    clock,
    pollMilliseconds,
    report,
  }: Pick<WorkerSettings<unknown>, 'store' | 'clock' | 'pollMilliseconds' | 'report'>,
): Promise<Finished> {
  for (let hasFailed = false; ; hasFailed = true) {
    try {
      const finished = await store.finish(held.lease, outcomes, next);
      // A write that seemed to fail may have released the lease.
      const isDone = hasFailed && !finished.isHeld && next.do === 'release';
      return isDone ? { ...finished, isHeld: true } : finished;
    } catch (cause) {
      if (held.isLost) throw cause;
      const message = `The store did not write a result; the next try is in ${pollMilliseconds} ms. ${describeThrown(cause)}`;
      report({ code: 'store_unavailable', message, eventId: null, runId: held.runId, cause });
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, pollMilliseconds);
      });
    }
  }
}
