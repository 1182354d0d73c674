import { describeThrown } from '../problems.ts';
import type { Lease, OpenEvent } from '../stores/store.ts';
import { retryDelay } from './retry-delay.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** An event whose handling began this often and never ended is set aside. */
const MOST_STARTS = 3;

/** `lost`: somebody else holds the work now, so nothing more may be done with it. */
export type Handling =
  | { readonly outcome: 'settled'; readonly runSettled: boolean }
  | { readonly outcome: 'dead' | 'lost' }
  | { readonly outcome: 'failed'; readonly dueAt: number };

export interface EventToHandle {
  readonly lease: Lease;
  readonly event: OpenEvent;
  readonly runId: string | null;
  /** Calls the handlers; says whether the run is settled with this event. */
  readonly call: () => Promise<{ readonly runSettled: boolean }>;
}

/** Calls the handlers of one event and writes down what came of it. */
export async function handleEvent(
  { lease, event, runId, call }: EventToHandle,
  settings: WorkerSettings,
): Promise<Handling> {
  const { store, report } = settings;
  const about = { eventId: event.id, runId };
  if (event.starts >= MOST_STARTS) {
    const error = `The process ended ${event.starts} times while it handled this event.`;
    report({ ...about, code: 'event_poisoned', message: `${error} See deadLetters().` });
    const isKept = await store.deadLetter(lease, event.id, { reason: 'event_poisoned', error });
    return { outcome: isKept ? 'dead' : 'lost' };
  }
  if (!(await store.start(lease, event.id))) return { outcome: 'lost' };
  let result: Awaited<ReturnType<typeof call>>;
  try {
    result = await call();
  } catch (thrown) {
    return failed(thrown, { lease, event, runId }, settings);
  }
  const isKept = await store.settle(lease, event.id, result);
  return isKept ? { outcome: 'settled', ...result } : { outcome: 'lost' };
}

async function failed(
  cause: unknown,
  { lease, event, runId }: Pick<EventToHandle, 'lease' | 'event' | 'runId'>,
  { store, clock, retry, report }: WorkerSettings,
): Promise<Handling> {
  const error = describeThrown(cause);
  const failures = event.attempts + 1;
  const about = { eventId: event.id, runId, cause };
  const delay = retryDelay(failures, retry);
  if (delay === null) {
    const message = `Handling failed for the last time (${failures}): ${error}. See deadLetters().`;
    report({ ...about, code: 'event_dead_lettered', message });
    const isKept = await store.deadLetter(lease, event.id, { reason: 'handler_failed', error });
    return { outcome: isKept ? 'dead' : 'lost' };
  }
  const message = `Handling failed (${failures} of ${retry.maxAttempts}), again in ${delay} ms: ${error}`;
  report({ ...about, code: 'handler_failed', message });
  const dueAt = clock.now() + delay;
  const isKept = await store.recordFailure(lease, event.id, { dueAt, error });
  return isKept ? { outcome: 'failed', dueAt } : { outcome: 'lost' };
}
