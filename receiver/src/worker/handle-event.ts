import type { Clock } from '../clock.ts';
import { HANDLE_CHANNEL, traced } from '../diagnostics.ts';
import type { HandleTrace } from '../diagnostics.ts';
import { FetchRunError } from '../fetch-run/fetch-run-error.ts';
import { describeThrown } from '../problems.ts';
import type { Outcome, StoreTransaction } from '../stores/store.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import { Settlement } from './call-context.ts';
import type { HeldLease } from './held-lease.ts';
import type { LeasedEvent, LeasedRun } from './leased-run.ts';
import { retryDelay } from './next-event.ts';
import { planCalls } from './plan-calls.ts';
import { OutputMismatch } from './with-output.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** `null`: the lease is lost, and nothing must be written. */
export type Handled<Tx> = {
  readonly outcome: Outcome;
  /** The transaction in which to write the outcome, if a handler has used it. */
  readonly transaction: StoreTransaction<Tx> | null;
  /** True when a transaction of the user has settled the event. */
  readonly isWritten: boolean;
  /** Returns the outcome for the case that the transaction cannot be committed. */
  readonly failure: (cause: unknown) => Outcome;
} | null;

/** Calls the handlers of one event within the deadline, and returns the result. */
export async function handleEvent<Tx>(
  run: LeasedRun,
  event: LeasedEvent,
  held: HeldLease,
  settings: WorkerSettings<Tx>,
): Promise<Handled<Tx>> {
  const failure = (cause: unknown): Outcome => failed(cause, run, event, settings);
  const written = (outcome: Outcome): NonNullable<Handled<Tx>> => {
    return { outcome, transaction: null, isWritten: false, failure };
  };
  if (event.crashes >= settings.maxCrashes) return written(poisoned(run, event, settings));
  let settlement: Settlement<Tx> | undefined;
  const call = async (signal: AbortSignal, trace: HandleTrace): Promise<Outcome> => {
    const { calls, runSettled, about } = await planCalls(run, event, signal, settings);
    Object.assign(trace, about);
    const order = run.runId === null ? null : run.stateAfter(event.id);
    const keepBodyFor = settings.keepBodiesMilliseconds;
    settlement = new Settlement(settings.store, held.lease, event, {
      runSettled,
      order,
      keepBodyFor,
    });
    for (const [index, one] of calls.entries()) {
      const isLast = index === calls.length - 1;
      await one(settlement.contextFor(signal, isLast));
      signal.throwIfAborted();
    }
    return { id: event.id, as: 'settled', runSettled, keepBodyFor };
  };
  try {
    const outcome = await tracedAttempt(run, event, held, (trace) =>
      withinDeadline((signal) => call(signal, trace), held, settings),
    );
    const { transaction, isExecuted } = settlement ?? { transaction: null, isExecuted: false };
    if (isExecuted) await requireCommitted(event.id, held, settings);
    return { outcome, transaction, isWritten: isExecuted, failure };
  } catch (thrown) {
    await settlement?.transaction?.rollback();
    if (held.isLost) return null;
    if (isNoEvent(thrown, settlement)) return written(quarantined(thrown, run, event, settings));
    if (thrown instanceof OutputMismatch) return written(mismatched(thrown, run, event, settings));
    return written(failure(thrown));
  }
}

/** Publishes one attempt to the diagnostics channel. */
function tracedAttempt<Value>(
  { runId }: LeasedRun,
  { id, attempts, isReplay }: LeasedEvent,
  held: HeldLease,
  attempt: (trace: HandleTrace) => Promise<Value>,
): Promise<Value> {
  const known = { eventId: id, runId, attempt: attempts + 1, isReplay };
  const trace: HandleTrace = { ...known, handler: null, arrival: null, order: null, outcome: null };
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

/** An event that `settleWith()` has settled is still open when the transaction of the user was rolled back. */
async function requireCommitted(
  id: string,
  { lease }: HeldLease,
  { store }: Pick<WorkerSettings<unknown>, 'store'>,
): Promise<void> {
  if (!(await store.bodies(lease, [id])).has(id)) return;
  throw new Error(
    'Transaction with settleWith() must be committed before the handler resolves, but it was not.',
  );
}

class HandlerTimeout extends Error {
  override readonly name = 'HandlerTimeout';
}

/**
 * Calls with a signal that aborts at the deadline or when the lease is lost. At the deadline it rejects.
 * After a lost lease it waits for the handlers until then, so that this process does not begin the event
 * a second time beside them.
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

type Reporting = Pick<WorkerSettings<unknown>, 'report' | 'retry'>;

function poisoned(
  { runId }: LeasedRun,
  { id, crashes }: LeasedEvent,
  { report }: Reporting,
): Outcome {
  const error = `The process ended ${crashes} times while it handled this event (maxCrashes).`;
  report({ code: 'event_poisoned', message: `${error} See deadLetters().`, eventId: id, runId });
  return { id, as: 'dead', reason: 'event_poisoned', error, isFailure: false };
}

function quarantined(
  cause: WebhookVerificationError,
  { runId }: LeasedRun,
  { id }: LeasedEvent,
  { report }: Reporting,
): Outcome {
  const error = `${cause.code}: ${cause.message}`;
  const message = `An authentic delivery was quarantined. ${error} See deadLetters().`;
  report({ code: 'event_quarantined', message, eventId: id, runId, cause });
  return { id, as: 'dead', reason: 'event_quarantined', error, isFailure: false };
}

function mismatched(
  cause: OutputMismatch,
  { runId }: LeasedRun,
  { id }: LeasedEvent,
  { report }: Reporting,
): Outcome {
  const error = describeThrown(cause);
  const message = `The output of a run is not what its handler expects. ${error} See deadLetters().`;
  report({ code: 'output_invalid', message, eventId: id, runId, cause });
  return { id, as: 'dead', reason: 'output_invalid', error, isFailure: true };
}

function failed(
  cause: unknown,
  { runId }: LeasedRun,
  { id, attempts }: LeasedEvent,
  { report, retry }: Reporting,
): Outcome {
  const error = describeThrown(cause);
  const failures = attempts + 1;
  const isSlow = cause instanceof HandlerTimeout;
  const about = { eventId: id, runId, cause };
  const asked = cause instanceof FetchRunError ? cause.retryAfterMilliseconds : null;
  const delay = retryDelay(failures, retry, asked ?? 0);
  const attempt = `attempt ${failures} of ${retry.maxAttempts}`;
  if (delay === null) {
    const message = `Handler failed (${attempt}); see deadLetters(). ${error}`;
    report({ ...about, code: 'event_dead_lettered', message });
    return { id, as: 'dead', reason: 'handler_failed', error, isFailure: true };
  }
  const message = isSlow
    ? `Handler did not finish (${attempt}, next in ${delay} ms). ${error} A call that ignores context.signal goes on beside later ones: pass it on, or raise the limit.`
    : `Handler failed (${attempt}, next in ${delay} ms). ${error}`;
  report({ ...about, code: isSlow ? 'handler_slow' : 'handler_failed', message });
  return { id, as: 'failed', dueIn: delay, error };
}
