import type { Clock, TimerHandle } from '../clock.ts';
import { describeThrown } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';

const HOUR_MILLISECONDS = 3_600_000;

export interface RetentionSettings {
  readonly store: Store;
  readonly clock: Clock;
  readonly retentionMilliseconds: number;
  readonly report: ReportProblem;
}

/** Deletes events older than the retention, now and every hour, until the returned function is called. */
export function keepRetention({
  store,
  clock,
  retentionMilliseconds,
  report,
}: RetentionSettings): () => Promise<void> {
  let timer: TimerHandle | null = null;
  let isStopped = false;
  let current = Promise.resolve();
  const purge = async (): Promise<void> => {
    try {
      await store.purge(retentionMilliseconds);
    } catch (cause) {
      const message = `The store did not delete old events; the next try is in an hour. ${describeThrown(cause)}`;
      report({ code: 'store_unavailable', message, eventId: null, runId: null, cause });
    }
    if (!isStopped) timer = clock.setTimeout(begin, HOUR_MILLISECONDS);
  };
  const begin = (): void => {
    current = purge();
  };
  begin();
  return async () => {
    isStopped = true;
    if (timer !== null) clock.clearTimeout(timer);
    await current;
  };
}
