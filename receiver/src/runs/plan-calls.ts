import { FETCH_RUN_CHANNEL, traced } from '../diagnostics.ts';
import type { FetchRunTrace } from '../diagnostics.ts';
import { readFetchedRun } from '../fetch-run/fetched-run.ts';
import type { RunReading } from '../fetch-run/fetched-run.ts';
import type { RunEvent } from '../generated/run-events.ts';
import { edgeOf } from '../order/run-edge.ts';
import { decodeOrderedEvent } from './event-content.ts';
import { edgesIn, eventsOfRun } from '../processing/history.ts';
import type { WebhookEvent } from '../verify/decode-event.ts';
import type { EventContext } from '../worker/event-context.ts';
import type { LeasedEvents, PendingEvent } from '../worker/leased-events.ts';
import type { Call, Plan, Planning } from '../worker/source-work.ts';
import type { HandlerTable } from './handler-table.ts';
import type { HandlingContext } from './handlers.ts';
import { certaintyOf, proveEnd } from './proof.ts';
import { Run } from './run.ts';
import type { RunSettings } from './run-settings.ts';
import { RUN_WALK } from './run-walk.ts';

interface Settings<Tx> extends RunSettings, Planning {
  readonly handlers: HandlerTable<Tx>;
}

/**
 * Decodes an event, reads its run if necessary, and returns the handlers to call.
 *
 * @throws {WebhookVerificationError} When the body is no event.
 */
export async function planCalls<Tx>(
  events: LeasedEvents,
  run: Run | null,
  event: PendingEvent,
  body: Uint8Array,
  settings: Settings<Tx>,
): Promise<Plan<Tx>> {
  const { handlers } = settings;
  const received = decodeOrderedEvent(body, event.id);
  if (received.test) {
    return { calls: handlers.forTest(received), settlesJob: false, about: aboutSingle('test') };
  }
  if (received.type !== 'unknown') return planRunEvent(events, run, event, received, settings);
  const calls = handlers.forUnknown(received);
  if (calls.length === 0) reportUnknown(received, settings);
  return { calls, settlesJob: false, about: aboutSingle('unknown') };
}

function aboutSingle(handler: string): Plan<never>['about'] {
  return { handler, order: null };
}

async function planRunEvent<Tx>(
  events: LeasedEvents,
  knownRun: Run | null,
  pending: PendingEvent,
  received: RunEvent,
  settings: Settings<Tx>,
): Promise<Plan<Tx>> {
  const { handlers, mode, store } = settings;
  const edge = edgeOf(received);
  // An event that was no event for an older release has no run in the store.
  const run = knownRun ?? new Run([edge], () => 'open', true);
  const known = run.facts(pending.id);
  const isLast = knownRun !== null && !events.isSettled && run.isEndedBy(pending.id);
  const isEndInDoubt = isLast && run.gapCount > 0 && mode === 'ordered';
  const snapshot = await readRun(received, isEndInDoubt, settings);
  const isOutputFetched = snapshot !== null && received.data.run.outputOmitted === true;
  const event = isOutputFetched ? filledIn(received, snapshot) : received;
  const facts = {
    order: pending.isReplay ? ('unproven' as const) : certaintyOf(known, run),
    missing: known.missing,
    async timeline() {
      const { source, key } = events;
      const stored = key === null ? [] : await eventsOfRun(store, source, key, RUN_WALK);
      return RUN_WALK.resolve([edge, ...edgesIn(stored, RUN_WALK)]);
    },
    isOutputFetched,
  };
  // In live mode a snapshot proves nothing: the missing events may still arrive.
  const settled = isLast
    ? settledCalls(event, run, isEndInDoubt ? snapshot : null, settings)
    : null;
  const calls = [...handlers.forRunEvent(event), ...(settled ?? [])];
  return {
    calls: calls.map((call) => withFacts(call, facts)),
    settlesJob: settled !== null,
    about: { handler: event.data.run.status, order: facts.order },
  };
}

function withFacts<Tx>(
  { name, run }: Call<HandlingContext<Tx>>,
  facts: Omit<HandlingContext<Tx>, keyof EventContext>,
): Call<EventContext<Tx>> {
  return { name, run: (context) => run({ ...facts, ...context }) };
}

/** Reads the run when the event omits its output or the end of the run is in doubt. */
async function readRun(
  event: RunEvent,
  isEndInDoubt: boolean,
  { fetchRun, signal }: Pick<Settings<unknown>, 'fetchRun' | 'signal'>,
): Promise<RunReading | null> {
  const isNeeded = isEndInDoubt || event.data.run.outputOmitted === true;
  if (!isNeeded || fetchRun === undefined) return null;
  const { id, outputOmitted } = event.data.run;
  const purpose = outputOmitted === true ? 'output' : 'end';
  const about: FetchRunTrace = { eventId: event.id, runId: id, purpose, outcome: null };
  return traced(FETCH_RUN_CHANNEL, about, async (trace) => {
    trace.outcome = 'failed';
    const reading = readFetchedRun(await fetchRun(id, event, { signal }), event);
    trace.outcome = 'read';
    return reading;
  });
}

function filledIn(event: RunEvent, { output }: RunReading): RunEvent {
  const filled = structuredClone(event);
  filled.data.run.output = output;
  return filled;
}

/** Returns the calls for a run whose end is proven; `null` when it is not. */
function settledCalls<Tx>(
  event: RunEvent,
  run: Run,
  snapshot: RunReading | null,
  { handlers, report }: Settings<Tx>,
): readonly Call<HandlingContext<Tx>>[] | null {
  const runId = event.data.run.id;
  const result = proveEnd(run, snapshot);
  if (result.proven === 'contradicted') {
    const message =
      `Run status must be ${run.terminalStatus} as in its last event, but fetchRun returned ${result.snapshotStatus ?? 'a status that this release does not know'}, ` +
      'and events are missing. The run is not settled. Compare the two in the dashboard.';
    report({ code: 'run_not_confirmed', message, eventId: event.id, runId });
  }
  if (result.proven !== 'yes') return null;
  return handlers.forSettledRun({ runId, event, ...result.end });
}

function reportUnknown({ id }: WebhookEvent, { report }: Pick<Planning, 'report'>): void {
  const message =
    'Event must have a type and version that this release knows, got another; it was skipped. ' +
    'Add a handler named unknown, or update the package.';
  report({ code: 'event_unknown', message, eventId: id, runId: null });
}
