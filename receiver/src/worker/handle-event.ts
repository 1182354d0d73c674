import { describeThrown } from '../problems.ts';
import type { Lease, OpenEvent } from '../stores/store.ts';
import { retryDelay } from './next-event.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** An event whose handling started this often without a result becomes a dead letter. */
const MAX_STARTS = 3;

/** `lost`: another worker holds the lease now, so this one must stop. */
export type Handling =
  | { readonly outcome: 'settled'; readonly runSettled: boolean }
  | { readonly outcome: 'dead' | 'lost' }
  | { readonly outcome: 'failed'; readonly dueAt: number };

export interface EventToHandle {
  readonly lease: Lease;
  readonly event: OpenEvent;
  readonly runId: string | null;
  /** Calls the handlers; returns whether the run is settled with this event. */
  readonly call: () => Promise<{ readonly runSettled: boolean }>;
}

/** Calls the handlers of one event and stores the result. */
export async function handleEvent(
  { lease, event, runId, call }: EventToHandle,
  settings: WorkerSettings,
): Promise<Handling> {
  const { store, report } = settings;
  const about = { eventId: event.id, runId };
  if (event.starts >= MAX_STARTS) {
    const error = `The process ended ${event.starts} times while handling this event.`;
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
    const message = `Handler failed (attempt ${failures} of ${retry.maxAttempts}); see deadLetters(). ${error}`;
    report({ ...about, code: 'event_dead_lettered', message });
    const isKept = await store.deadLetter(lease, event.id, { reason: 'handler_failed', error });
    return { outcome: isKept ? 'dead' : 'lost' };
  }
  const message = `Handler failed (attempt ${failures} of ${retry.maxAttempts}, next in ${delay} ms). ${error}`;
  report({ ...about, code: 'handler_failed', message });
  const dueAt = clock.now() + delay;
  const isKept = await store.recordFailure(lease, event.id, { dueAt, error });
  return isKept ? { outcome: 'failed', dueAt } : { outcome: 'lost' };
}
