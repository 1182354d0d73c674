import type { Clock } from '../clock.ts';
import { HANDLE_CHANNEL, traced } from '../diagnostics.ts';
import type { HandleTrace } from '../diagnostics.ts';
import { describeThrown, readable } from '../thrown.ts';
import type { Attempt, Outcome, StoreTransaction } from '../stores/store.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import { Settlement } from './call-context.ts';
import type { HeldLease } from './held-lease.ts';
import type { LeasedEvents, PendingEvent } from './leased-events.ts';
import { GiveUp, RetryLater, retryDelay } from './retry.ts';
import type { SourceWork } from './source-work.ts';
import { Unfit } from './standard-schema.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** An event during which the process ended this often becomes a dead letter. */
const MAX_CRASHES = 5;

/** `null`: the lease is lost, and nothing must be written. */
export type Handled<Tx> = {
  readonly outcome: Outcome;
  /** The transaction in which to write the outcome, if a handler has used it. */
  readonly transaction: StoreTransaction<Tx> | null;
  /** True when a transaction of the user has written the outcome. */
  readonly isWritten: boolean;
  /** Returns the outcome for the case that the transaction cannot be committed. */
  readonly failure: (cause: unknown) => Outcome;
} | null;

/** Calls the handlers of one event within the deadline, and returns the result. */
export async function handleEvent<Tx>(
  events: LeasedEvents,
  event: PendingEvent,
  body: Uint8Array,
  held: HeldLease,
  work: SourceWork<Tx>,
  settings: WorkerSettings<Tx>,
): Promise<Handled<Tx>> {
  const { runId } = held;
  const startedAt = settings.clock.monotonic();
  /** The handler that was called last. */
  let handler: string | null = null;
  const failure = (cause: unknown): Outcome => {
    const milliseconds = Math.round(settings.clock.monotonic() - startedAt);
    return failed(cause, { work, runId, event, handler, milliseconds }, settings);
  };
  const written = (outcome: Outcome): NonNullable<Handled<Tx>> => {
    return { outcome, transaction: null, isWritten: false, failure };
  };
  if (event.crashes >= MAX_CRASHES) return written(poisoned(runId, event, settings));
  let settlement: Settlement<Tx> | undefined;
  const call = async (signal: AbortSignal, trace: HandleTrace): Promise<Outcome> => {
    const { store, report } = settings;
    const planning = { store, report, signal };
    const { calls, settlesJob, about } = await work.plan(events, event, body, planning);
    Object.assign(trace, about);
    const keepBodyFor = settings.keepBodiesMilliseconds;
    const outcome = { id: event.id, as: 'handled', settlesJob, keepBodyFor } as const;
    settlement = new Settlement(settings.store, held.lease, event, outcome);
    for (const [index, { name, run }] of calls.entries()) {
      const isLast = index === calls.length - 1;
      handler = name;
      await run(settlement.contextFor(signal, isLast));
      signal.throwIfAborted();
    }
    return outcome;
  };
  try {
    const outcome = await tracedAttempt(runId, event, held, (trace) =>
      withinDeadline((signal) => call(signal, trace), held, settings),
    );
    const { transaction, isExecuted } = settlement ?? { transaction: null, isExecuted: false };
    if (isExecuted) await requireCommitted(event.id, held, settings);
    return { outcome, transaction, isWritten: isExecuted, failure };
  } catch (cause) {
    const thrown = readable(cause);
    await settlement?.transaction?.rollback();
    if (held.isLost) return null;
    if (isNoEvent(thrown, settlement)) return written(quarantined(thrown, runId, event, settings));
    return written(failure(thrown));
  }
}

/** Publishes one attempt to the diagnostics channel. */
function tracedAttempt<Value>(
  runId: string | null,
  { id, attempts, isReplay }: PendingEvent,
  held: HeldLease,
  attempt: (trace: HandleTrace) => Promise<Value>,
): Promise<Value> {
  const known = { eventId: id, runId, attempt: attempts + 1, isReplay };
  const trace: HandleTrace = { ...known, handler: null, order: null, outcome: null };
  return traced(HANDLE_CHANNEL, trace, async (published) => {
    try {
      const value = await attempt(published);
      published.outcome = 'handled';
      return value;
    } catch (thrown) {
      published.outcome = held.isLost ? 'lost' : 'failed';
      throw thrown;
    }
  });
}

/**
 * An event that `settleWith()` has settled is still open when the transaction of the user was
 * rolled back.
 */
async function requireCommitted(
  id: string,
  { lease }: HeldLease,
  { store }: Pick<WorkerSettings<unknown>, 'store'>,
): Promise<void> {
  if ((await store.begin(lease, id)) === null) return;
  throw new Error(
    'Transaction with settleWith() must be committed before the handler resolves, but it was not.',
  );
}

class HandlerTimeout extends Error {
  override readonly name = 'HandlerTimeout';
}

/**
 * Calls with a signal that aborts at the deadline or when the lease is lost. At the deadline it
 * rejects. After a lost lease it waits for the handlers until then, so that this process does not
 * begin the event a second time beside them.
 */
function withinDeadline<Value>(
  call: (signal: AbortSignal) => Promise<Value>,
  held: HeldLease,
  { clock, handlerTimeoutMilliseconds }: { clock: Clock; handlerTimeoutMilliseconds: number },
): Promise<Value> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const abort = (reason: unknown): void => {
      controller.abort(reason);
      end();
      reject(reason);
    };
    const lost = held.signal;
    const onLost = (): void => {
      if (held.isAbandoned) abort(lost.reason);
      else controller.abort(lost.reason);
    };
    const timer = clock.setTimeout(() => {
      const message = `Handlers must finish within ${handlerTimeoutMilliseconds} ms (handlerTimeoutMilliseconds).`;
      abort(new HandlerTimeout(message));
    }, handlerTimeoutMilliseconds);
    const end = (): void => {
      clock.clearTimeout(timer);
      lost.removeEventListener('abort', onLost);
    };
    lost.addEventListener('abort', onLost);
    if (lost.aborted) return abort(lost.reason);
    call(controller.signal).then(resolve, reject).finally(end);
  });
}

/** A body that cannot be decoded fails before any handler is called. */
function isNoEvent(thrown: unknown, settlement: unknown): thrown is WebhookVerificationError {
  return settlement === undefined && thrown instanceof WebhookVerificationError;
}

type Reporting = Pick<WorkerSettings<unknown>, 'report' | 'retry' | 'clock'>;

function poisoned(
  runId: string | null,
  { id, crashes }: PendingEvent,
  { report }: Reporting,
): Outcome {
  const error = `The process ended ${crashes} times in a row while it handled this event.`;
  report({ code: 'event_poisoned', message: `${error} See deadLetters().`, eventId: id, runId });
  return { id, as: 'dead', reason: 'event_poisoned', error, attempt: null };
}

function quarantined(
  cause: WebhookVerificationError,
  runId: string | null,
  { id }: PendingEvent,
  { report }: Reporting,
): Outcome {
  const error = `${cause.code}: ${cause.message}`;
  const message = `An authentic delivery was quarantined. ${error} See deadLetters().`;
  report({ code: 'event_quarantined', message, eventId: id, runId, cause });
  return { id, as: 'dead', reason: 'event_quarantined', error, attempt: null };
}

/** An attempt that has failed. */
interface FailedAttempt extends Omit<Attempt, 'error'> {
  readonly work: Pick<SourceWork<never>, 'leastWait'>;
  readonly runId: string | null;
  readonly event: PendingEvent;
}

function failed(
  cause: unknown,
  { work, runId, event, handler, milliseconds }: FailedAttempt,
  { report, retry, clock }: Reporting,
): Outcome {
  const { id, attempts, failingSince } = event;
  const error = describeThrown(cause);
  const attempt = { handler, error, milliseconds };
  const where = runId === null ? `event ${id}` : `event ${id} of run ${runId}`;
  const what = `${handler === null ? 'Handling' : `Handler "${handler}"`} of ${where}`;
  const about = { eventId: id, runId, cause };
  if (cause instanceof Unfit) {
    const message = `${what} got an output that it does not expect. ${error} See deadLetters().`;
    report({ ...about, code: 'output_invalid', message });
    return { id, as: 'dead', reason: 'output_invalid', error, attempt };
  }
  const failures = attempts + 1;
  const failingFor = failingSince === null ? 0 : clock.monotonic() - failingSince;
  const delay =
    cause instanceof GiveUp
      ? null
      : retryDelay({ id, failures, failingFor }, retry, asked(cause, work));
  if (delay === null) {
    const message = `${what} failed for the last time (attempt ${failures}); see deadLetters(). ${error}`;
    report({ ...about, code: 'event_dead_lettered', message });
    return { id, as: 'dead', reason: 'handler_failed', error, attempt };
  }
  const isSlow = cause instanceof HandlerTimeout;
  const next = `(attempt ${failures}, next in ${delay} ms)`;
  const message = isSlow
    ? `${what} did not finish ${next}. ${error} A call that ignores context.signal goes on beside later ones: pass it on, or raise the limit.`
    : `${what} failed ${next}. ${error}`;
  report({ ...about, code: isSlow ? 'handler_slow' : 'handler_failed', message });
  return { id, as: 'failed', dueIn: delay, attempt };
}

function asked(
  cause: unknown,
  { leastWait }: Pick<SourceWork<never>, 'leastWait'>,
): { readonly exactly?: number; readonly atLeast?: number } {
  if (cause instanceof RetryLater) return { exactly: cause.milliseconds };
  return { atLeast: leastWait(cause) };
}
