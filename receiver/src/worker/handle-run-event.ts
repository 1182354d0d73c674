import { API_VERSION } from '@hookproof/spec';
import type { RunEvent, RunSnapshot } from '@hookproof/spec';

import { callHandlers } from '../handlers.ts';
import { classifyArrival } from '../order/classify-arrival.ts';
import type { OpenEvent } from '../stores/store.ts';
import { decodeEvent } from '../verify/decode-event.ts';
import { handleEvent } from './handle-event.ts';
import type { Handling } from './handle-event.ts';
import { proveEnd } from './prove-end.ts';
import { orderOf } from './proven-order.ts';
import type { RunInHand } from './run-in-hand.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Handles one event of a run: reads the run where that is needed, then calls the handlers. */
export async function handleRunEvent(
  run: RunInHand,
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
    if (received.type === 'unknown') throw new TypeError('a run holds an event that is unknown');
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
    // An output read in live mode says nothing about events that may still be under way.
    const proof = isEndInDoubt ? snapshot : null;
    return { runSettled: isLast && (await settle(run, event, proof, settings)) };
  };
  return handleEvent({ lease, event: stored, runId, call }, settings);
}

/** The run as it is now, where an event lacks its output or the end of the run is in doubt. */
async function readRun(
  event: RunEvent,
  isEndInDoubt: boolean,
  { fetchRun }: WorkerSettings,
): Promise<RunSnapshot | null> {
  const isNeeded = isEndInDoubt || event.data.run.outputOmitted === true;
  return isNeeded && fetchRun !== undefined ? fetchRun(event.data.run.id, event) : null;
}

function withOutput(event: RunEvent, { output }: RunSnapshot): RunEvent {
  const filled = structuredClone(event);
  filled.data.run.output = output;
  return filled;
}

/** Calls the handler of the settled run if its end is proven; says whether it is. */
async function settle(
  { timeline }: RunInHand,
  event: RunEvent,
  snapshot: RunSnapshot | null,
  { handlers, report }: WorkerSettings,
): Promise<boolean> {
  const runId = event.data.run.id;
  const result = proveEnd(timeline, snapshot);
  if (result.proven === 'contradicted') {
    const message =
      `Events of this run are missing and the last one says ${timeline.status}, but fetchRun read ` +
      `${result.snapshotStatus}. The run is not settled; compare the two in the dashboard.`;
    report({ code: 'run_not_confirmed', message, eventId: event.id, runId });
  }
  if (result.proven !== 'yes') return false;
  await handlers.settled?.({ runId, event, timeline, ...result.end });
  return true;
}
