import { API_VERSION, TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunEvent } from '@hookproof/spec';

import { callHandlers } from '../handlers.ts';
import { classifyArrival } from '../order/classify-arrival.ts';
import { resolveTimeline } from '../order/resolve-timeline.ts';
import type { Timeline } from '../order/resolve-timeline.ts';
import type { LeasedWork, OpenEvent } from '../stores/store.ts';
import { decodeEvent } from '../verify/decode-event.ts';
import { handleEvent } from './handle-event.ts';
import type { Handling } from './handle-event.ts';
import { nextEvent } from './next-event.ts';
import { orderOf } from './proven-order.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Handles what can be handled of one run now, one event after the other, then lets go of it. */
export async function processRun(
  work: LeasedWork,
  settings: WorkerSettings,
  isStopping: () => boolean,
): Promise<void> {
  const { store, clock } = settings;
  const run = new RunInHand(work);
  for (;;) {
    const next = nextEvent(run, { ...settings, now: clock.now() });
    if (next.do === 'wait') {
      await store.release(work.lease, { ids: run.waitingUntil(next.until), dueAt: next.until });
      return;
    }
    if (next.do === 'stop' || isStopping()) {
      await store.release(work.lease);
      return;
    }
    const handling = await handleRunEvent(run, next.event, settings);
    if (handling.outcome === 'lost') return;
    run.note(next.event, handling);
  }
}

/** A leased run, kept in step with what was done since it was taken. */
class RunInHand {
  readonly work: LeasedWork;
  readonly timeline: Timeline;
  open: readonly OpenEvent[];
  readonly unsettled: Set<string>;
  isSettled: boolean;

  constructor(work: LeasedWork) {
    this.work = work;
    this.timeline = resolveTimeline(work.known.map(({ edge }) => edge));
    this.open = work.open;
    const unsettled = work.known.filter(({ state }) => state !== 'settled');
    this.unsettled = new Set(unsettled.map(({ edge }) => edge.id));
    this.isSettled = work.isRunSettled;
  }

  /** True when nothing but this event is left of a terminal run with a whole history. */
  isSettledBy(event: OpenEvent): boolean {
    const { isTerminal, isUnbroken, steps } = this.timeline;
    const others = steps.filter(({ id }) => id !== event.id && this.unsettled.has(id));
    return !this.isSettled && isTerminal && isUnbroken && others.length === 0;
  }

  /** Ids of the events that fall due then: all but those whose own failure takes longer. */
  waitingUntil(time: number): readonly string[] {
    return this.open
      .filter(({ attempts, dueAt }) => attempts === 0 || dueAt < time)
      .map(({ id }) => id);
  }

  note(event: OpenEvent, handling: Handling): void {
    if (handling.outcome === 'failed') {
      const attempts = event.attempts + 1;
      const failed = { ...event, attempts, starts: 0, dueAt: handling.dueAt };
      this.open = this.open.map((other) => (other === event ? failed : other));
      return;
    }
    this.open = this.open.filter((other) => other !== event);
    if (handling.outcome !== 'settled') return;
    this.isSettled ||= this.isSettledBy(event);
    this.unsettled.delete(event.id);
  }
}

async function handleRunEvent(
  run: RunInHand,
  stored: OpenEvent,
  settings: WorkerSettings,
): Promise<Handling> {
  const { lease, runId, known } = run.work;
  const { timeline } = run;
  const settlesRun = run.isSettledBy(stored);
  const place = known.findIndex(({ edge }) => edge.id === stored.id);
  const edges = known.slice(0, place).map(({ edge }) => edge);

  const call = async (): Promise<void> => {
    const received = decodeEvent(stored.body, stored.id);
    if (received.type === 'unknown') throw new TypeError('a run holds an event that is unknown');
    const { event, isOutputFetched } = await withOutput(received, settings);
    const edge = known[place]?.edge;
    await callHandlers(settings.handlers, event, {
      arrival: edge === undefined ? 'applied' : classifyArrival(edges, edge),
      ...orderOf(stored.id, timeline, (id) => run.unsettled.has(id)),
      timeline,
      attempt: stored.attempts + 1,
      isKnownVersion: event.apiVersion === API_VERSION,
      isOutputFetched,
    });
    const status = TERMINAL_RUN_STATUSES.find((terminal) => terminal === timeline.status);
    if (settlesRun && status !== undefined) {
      await settings.handlers.settled?.({ runId: event.data.run.id, status, event, timeline });
    }
  };
  return handleEvent({ lease, event: stored, runId, settlesRun, call }, settings);
}

async function withOutput(
  event: RunEvent,
  { fetchRun }: WorkerSettings,
): Promise<{ event: RunEvent; isOutputFetched: boolean }> {
  const { run } = event.data;
  if (run.outputOmitted !== true || fetchRun === undefined) {
    return { event, isOutputFetched: false };
  }
  const { output } = await fetchRun(run.id, event);
  const filled = structuredClone(event);
  filled.data.run.output = output;
  return { event: filled, isOutputFetched: true };
}
