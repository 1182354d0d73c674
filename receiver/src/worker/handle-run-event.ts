import { API_VERSION } from '../generated/constants.ts';
import type { RunEvent } from '../generated/run-events.ts';

import { readFetchedRun } from '../fetch-run/fetched-run.ts';
import type { RunReading } from '../fetch-run/fetched-run.ts';
import { classifyArrival } from '../order/classify-arrival.ts';
import type { OpenEvent } from '../stores/store.ts';
import { decodeEvent } from '../verify/decode-event.ts';
import { handleEvent } from './handle-event.ts';
import type { Handling } from './handle-event.ts';
import { callHandlers } from './handlers.ts';
import type { LeasedRun } from './leased-run.ts';
import { orderOf, proveEnd } from './proof.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Handles one event of a run: reads the run if necessary, then calls the handlers. */
export async function handleRunEvent(
  run: LeasedRun,
  stored: OpenEvent,
  settings: WorkerSettings,
): Promise<Handling> {
  const { lease, runId, known } = run.work;
  const { timeline } = run;
  const place = known.findIndex(({ edge }) => edge.id === stored.id);
  const edges = known.slice(0, place).map(({ edge }) => edge);
  const isLast = run.isEndedBy(stored);

  const call = async (): Promise<{ runSettled: boolean }> => {
    const received = decodeEvent(stored.body, stored.id);
    if (received.type === 'unknown')
      throw new TypeError('Stored event of a run must have a known type.');
    const isEndInDoubt = isLast && !timeline.isUnbroken && settings.mode === 'ordered';
    const snapshot = await readRun(received, isEndInDoubt, settings);
    const isOutputFetched = snapshot !== null && received.data.run.outputOmitted === true;
    const event = isOutputFetched ? withOutput(received, snapshot) : received;
    const edge = known[place]?.edge;
    await callHandlers(settings.handlers, event, {
      arrival: edge === undefined ? 'applied' : classifyArrival(edges, edge),
      ...orderOf(stored.id, timeline, (id) => run.unsettled.has(id)),
      timeline,
      attempt: stored.attempts + 1,
      isKnownVersion: event.apiVersion === API_VERSION,
      isOutputFetched,
    });
    // In live mode a snapshot proves nothing: the missing events may still arrive.
    const proof = isEndInDoubt ? snapshot : null;
    return { runSettled: isLast && (await settle(run, event, proof, settings)) };
  };
  return handleEvent({ lease, event: stored, runId, call }, settings);
}

/** Reads the run when the event omits its output or the end of the run is in doubt. */
async function readRun(
  event: RunEvent,
  isEndInDoubt: boolean,
  { fetchRun }: WorkerSettings,
): Promise<RunReading | null> {
  const isNeeded = isEndInDoubt || event.data.run.outputOmitted === true;
  if (!isNeeded || fetchRun === undefined) return null;
  const { signal } = new AbortController();
  return readFetchedRun(await fetchRun(event.data.run.id, event, { signal }), event);
}

function withOutput(event: RunEvent, { output }: RunReading): RunEvent {
  const filled = structuredClone(event);
  filled.data.run.output = output;
  return filled;
}

/** Calls the `settled` handler if the end of the run is proven; returns whether it is. */
async function settle(
  { timeline }: LeasedRun,
  event: RunEvent,
  snapshot: RunReading | null,
  { handlers, report }: WorkerSettings,
): Promise<boolean> {
  const runId = event.data.run.id;
  const result = proveEnd(timeline, snapshot);
  if (result.proven === 'contradicted') {
    const message =
      `Run status must be ${timeline.status} as in its last event, but fetchRun returned ${result.snapshotStatus ?? 'a status that this release does not know'}, ` +
      'and events are missing. The run is not settled. Compare the two in the dashboard.';
    report({ code: 'run_not_confirmed', message, eventId: event.id, runId });
  }
  if (result.proven !== 'yes') return false;
  await handlers.settled?.({ runId, event, timeline, ...result.end });
  return true;
}
