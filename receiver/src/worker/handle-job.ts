import { nextTurn } from '../clock.ts';
import { StoreError } from '../stores/store-error.ts';
import type { Finished, LeasedJob, Next, Outcome } from '../stores/store.ts';
import { finishDurably } from './finish-durably.ts';
import { handleEvent } from './handle-event.ts';
import type { Handled } from './handle-event.ts';
import type { HeldLease } from './held-lease.ts';
import { LeasedEvents } from './leased-events.ts';
import type { NextEvent } from './next-event.ts';
import type { SourceWork } from './source-work.ts';
import type { SuspectSlot } from './suspect-slot.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** A store that responds at once would otherwise keep the event loop for a whole run. */
const MAX_TURN_MILLISECONDS = 10;

const LOST = 'another holder has it';

/** Handles the events of one leased job, one after the other, then releases it. */
export async function handleJob<Tx>(
  job: LeasedJob,
  held: HeldLease,
  work: SourceWork<Tx>,
  settings: WorkerSettings<Tx>,
  suspects: SuspectSlot,
  isStopping: () => boolean,
): Promise<void> {
  const { store, clock, leaseMilliseconds, pauses } = settings;
  const events = new LeasedEvents(job, clock.monotonic(), settings.retry);
  await pauses.recheck();
  let handled: Handled<Tx> = null;
  let begun: { readonly id: string; readonly body: Uint8Array } | null = null;
  let resumedAt = clock.monotonic();
  for (;;) {
    if (clock.monotonic() - resumedAt > MAX_TURN_MILLISECONDS) {
      await nextTurn();
      resumedAt = clock.monotonic();
    }
    const decision = decide(events, work, suspects, settings);
    const now = clock.monotonic();
    const next = nextOf(decision, isStopping() || pauses.isEverything, now, leaseMilliseconds);
    if (handled !== null || next.do === 'release') {
      const finished: Finished = await finish(handled, next, held, settings);
      if (!finished.isHeld || next.do === 'release') return;
      handled = null;
      const { lastPosition, body: nextBody } = finished;
      begun = next.begin === null || nextBody === null ? null : { id: next.begin, body: nextBody };
      if (lastPosition > events.lastPosition) {
        const news = await store.events(held.lease, events.lastPosition);
        if (news === null) return held.lose(LOST);
        events.add(news, clock.monotonic());
        continue;
      }
    }
    if (decision.do !== 'handle') continue;
    const { event } = decision;
    const body: Uint8Array | null =
      begun?.id === event.id ? begun.body : await store.begin(held.lease, event.id);
    if (body === null) return held.lose(LOST);
    handled = await handleEvent(events, event, body, held, work, settings);
    if (handled === null) return;
    events.note(handled.outcome, clock.monotonic());
  }
}

/**
 * Decides what to do next. It reads nothing, so that an outcome is written whatever the store does.
 */
function decide<Tx>(
  events: LeasedEvents,
  work: SourceWork<Tx>,
  suspects: SuspectSlot,
  { clock, pauses }: WorkerSettings<Tx>,
): NextEvent {
  const { job } = events.lease;
  suspects.free(job);
  const isPaused = (handler: string | null): boolean => pauses.has(events.source, handler);
  const moment = { now: clock.monotonic(), maySuspect: suspects.isFree, isPaused };
  const decision = work.next(events, moment);
  if (decision.do === 'handle' && decision.event.crashes > 0) suspects.take(job);
  return decision;
}

function nextOf(decision: NextEvent, isStopping: boolean, now: number, leaseFor: number): Next {
  if (decision.do === 'wait') {
    const dueIn = decision.until === null ? null : Math.max(decision.until - now, 0);
    return { do: 'release', dueIn };
  }
  return isStopping
    ? { do: 'release', dueIn: 0 }
    : { do: 'hold', leaseFor, begin: decision.event.id };
}

/** Writes the outcome of an event and what comes next in one step. */
async function finish<Tx>(
  handled: Handled<Tx>,
  next: Next,
  held: HeldLease,
  settings: WorkerSettings<Tx>,
): Promise<Finished> {
  const at = settings.clock.monotonic();
  const outcomes: readonly Outcome[] =
    handled === null || handled.isWritten ? [] : [handled.outcome];
  const transaction = handled?.transaction ?? null;
  let result;
  try {
    result = await (transaction?.finish(held.lease, outcomes, next) ??
      finishDurably(held, outcomes, next, settings));
  } catch (cause) {
    if (cause instanceof StoreError || handled === null) throw cause;
    // The database refused the writes of the handlers, so the handlers have failed.
    await finishDurably(held, [handled.failure(cause)], { do: 'release', dueIn: 0 }, settings);
    return { isHeld: false, lastPosition: 0, body: null };
  }
  if (!result.isHeld) held.lose(LOST);
  else if (next.do === 'hold') held.extended(at);
  return result;
}
