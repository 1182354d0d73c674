import { nextTurn } from '../clock.ts';
import { StoreError } from '../stores/store-error.ts';
import type { LeasedJob, Next, Outcome } from '../stores/store.ts';
import { finishDurably } from './finish-durably.ts';
import { handleEvent } from './handle-event.ts';
import type { Handled } from './handle-event.ts';
import type { HeldLease } from './held-lease.ts';
import { LeasedRun } from './leased-run.ts';
import type { LeasedEvent } from './leased-run.ts';
import { nextInOrder, nextLive } from './next-event.ts';
import type { NextEvent } from './next-event.ts';
import { LeaseLost, RunReader } from './run-reader.ts';
import type { SuspectSlot } from './suspect-slot.ts';
import type { WorkerSettings } from './worker-settings.ts';

const MAX_BODIES = 64;

/** A store that responds at once would otherwise keep the event loop for a whole run. */
const MAX_TURN_MILLISECONDS = 10;

/** Handles the events of one leased job, one after the other, then releases it. */
export async function handleJob<Tx>(
  job: LeasedJob,
  held: HeldLease,
  settings: WorkerSettings<Tx>,
  suspects: SuspectSlot,
  isStopping: () => boolean,
): Promise<void> {
  try {
    await handleEvents(job, held, settings, suspects, isStopping);
  } catch (cause) {
    if (!(cause instanceof LeaseLost)) throw cause;
    held.lose(cause.message);
  }
}

async function handleEvents<Tx>(
  job: LeasedJob,
  held: HeldLease,
  settings: WorkerSettings<Tx>,
  suspects: SuspectSlot,
  isStopping: () => boolean,
): Promise<void> {
  const { store, clock, leaseMilliseconds, pauses } = settings;
  const reader = job.runId === null ? null : new RunReader(store, job.lease, job.runId);
  const run = new LeasedRun(job, reader, { now: () => clock.monotonic(), retry: settings.retry });
  await pauses.recheck();
  let handled: Handled<Tx> = null;
  let begun: string | null = null;
  let resumedAt = clock.monotonic();
  for (;;) {
    if (clock.monotonic() - resumedAt > MAX_TURN_MILLISECONDS) {
      await nextTurn();
      resumedAt = clock.monotonic();
    }
    const decision = await nextOfJob(run, held.lease.job, suspects, settings);
    const now = clock.monotonic();
    const next = nextOf(decision, isStopping() || pauses.isEverything, now, leaseMilliseconds);
    if (handled !== null || next.do === 'release') {
      const { isHeld, lastPosition } = await finish(run, handled, next, held, settings);
      if (!isHeld || next.do === 'release') return;
      handled = null;
      begun = next.begin ?? null;
      if (lastPosition > run.lastPosition) {
        run.lastPosition = lastPosition;
        continue;
      }
    }
    if (decision.do !== 'handle') continue;
    const event = await withBody(run, decision.event, held, settings);
    if (begun !== event.id && !(await store.begin(held.lease, event.id))) {
      return held.lose('another holder has it');
    }
    handled = await handleEvent(run, event, held, settings);
    if (handled === null) return;
    run.note(handled.outcome, clock.monotonic());
  }
}

/** Takes in what is new of the run, and decides what to do next. */
async function nextOfJob<Tx>(
  run: LeasedRun,
  job: string,
  suspects: SuspectSlot,
  settings: WorkerSettings<Tx>,
): Promise<NextEvent<LeasedEvent>> {
  const { clock, mode, pauses } = settings;
  const isPaused = (status: string | null): boolean => pauses.has(status);
  const isInOrder = run.runId !== null && mode === 'ordered';
  suspects.free(job);
  await run.takeInAll();
  for (;;) {
    const first = isInOrder ? await run.first() : null;
    // Nothing is awaited from here on, so that no other job takes the slot in between.
    const moment = { ...settings, now: clock.monotonic(), maySuspect: suspects.isFree, isPaused };
    const decision = isInOrder ? nextInOrder(first, moment) : nextLive(run.open.values(), moment);
    if (decision.do === 'handle') {
      if (decision.event.crashes > 0) suspects.take(job);
      return decision;
    }
    if (isInOrder || !(await run.readMore())) return decision;
  }
}

function nextOf(
  decision: NextEvent<LeasedEvent>,
  isStopping: boolean,
  now: number,
  leaseFor: number,
): Next {
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
  run: LeasedRun,
  handled: Handled<Tx>,
  next: Next,
  held: HeldLease,
  settings: WorkerSettings<Tx>,
): Promise<{ readonly isHeld: boolean; readonly lastPosition: number }> {
  const at = settings.clock.monotonic();
  const outcomes: readonly Outcome[] =
    handled === null || handled.isWritten ? [] : [handled.outcome];
  const transaction = handled?.transaction ?? null;
  const order = run.changedState;
  let result;
  try {
    result = await (transaction?.finish(held.lease, outcomes, next, order) ??
      finishDurably(held, outcomes, next, order, settings));
  } catch (cause) {
    if (cause instanceof StoreError || handled === null) throw cause;
    // The database refused the writes of the handlers, so the handlers have failed.
    const failures = [handled.failure(cause)];
    await finishDurably(held, failures, { do: 'release', dueIn: 0 }, null, settings);
    return { isHeld: false, lastPosition: 0 };
  }
  if (!result.isHeld) held.lose('another holder has it');
  else if (next.do === 'hold') held.extended(at);
  if (result.isHeld) run.keptState();
  return result;
}

/** Reads the bodies of this event and of those that follow it, if the lease came without them. */
async function withBody<Tx>(
  run: LeasedRun,
  event: LeasedEvent,
  { lease }: HeldLease,
  { store }: WorkerSettings<Tx>,
): Promise<LeasedEvent> {
  if (event.body !== null) return event;
  const ids = [...run.open.values()].filter(({ body }) => body === null).map(({ id }) => id);
  const others = ids.filter((id) => id !== event.id).slice(0, MAX_BODIES - 1);
  run.addBodies(await store.bodies(lease, [event.id, ...others]));
  return run.open.get(event.id) ?? event;
}
