import type { Clock, TimerHandle } from '../clock/clock.ts';
import { DueQueue } from '../clock/due-queue.ts';
import type { Logger } from '../logger.ts';
import type { Sender } from '../sender/sender.ts';
import type { RunRecord } from '../state/runs.ts';
import { find } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { moveRun } from './change-run.ts';

/** A data file may come from a clock that was far ahead; looking early costs nothing. */
const LONGEST_SLEEP_MILLISECONDS = 86_400_000;

export interface RunWorkerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Takes the deliveries of every move. */
  readonly sender: Sender;
  readonly logger: Logger;
}

/** Makes the moves of the runs that have a course, each when its time has come. */
export interface RunWorker {
  /** Takes up a run whose commit is durable; one without a course is left alone. */
  take(run: RunRecord): void;
  /** Makes no more moves; resolves when those under way are over. After the next start it goes on. */
  close(): Promise<void>;
}

/** Starts with the runs in the store that have moves to come; those that are overdue are made at once. */
export function createRunWorker({ store, clock, sender, logger }: RunWorkerOptions): RunWorker {
  const queue = new DueQueue<{ readonly runId: string; readonly dueAt: number }>();
  const underWay = new Set<Promise<void>>();
  let wakeUp: TimerHandle | undefined;
  let closed = false;

  function schedule({ id: runId, course: [next] }: RunRecord): void {
    if (next !== undefined) queue.add({ runId, dueAt: Date.parse(next.at) });
  }

  /** Tells when the moves that it has begun are over. */
  async function moveDue(): Promise<void> {
    if (closed) return;
    const begun: Promise<void>[] = [];
    for (let due = queue.takeDue(clock.now()); due; due = queue.takeDue(clock.now())) {
      const run = find(store.state.runs, due.runId);
      if (run !== undefined && isDue(run)) begun.push(begin(run));
    }
    if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
    const { nextDueAt } = queue;
    if (nextDueAt !== undefined) {
      const sleep = Math.min(LONGEST_SLEEP_MILLISECONDS, Math.max(0, nextDueAt - clock.now()));
      wakeUp = clock.setTimeout(moveDue, sleep);
    }
    await Promise.all(begun);
  }

  /** False for a run that somebody has moved by hand since: its course is gone. */
  function isDue({ course: [next] }: RunRecord): boolean {
    return next !== undefined && Date.parse(next.at) <= clock.now();
  }

  function begin(run: RunRecord): Promise<void> {
    const move = makeNextMove(run).finally(() => underWay.delete(move));
    underWay.add(move);
    return move;
  }

  async function makeNextMove(run: RunRecord): Promise<void> {
    try {
      const deliveries = await store.commit((state) => {
        const [next, ...course] = run.course;
        if (next === undefined) return [];
        const { at: _at, ...move } = next;
        return moveRun(state, clock.now(), run, { ...move, course }).deliveries;
      });
      sender.enqueue(deliveries);
    } catch (error) {
      // What cannot be kept must not go on: the next start begins where the data file stands.
      closed = true;
      logger.error(`runs stand still: a move cannot be made (${run.id})`, error);
      return;
    }
    schedule(run);
    clock.track(moveDue());
  }

  for (const run of Object.values(store.state.runs)) schedule(run);
  clock.track(moveDue());

  return {
    take(run) {
      schedule(run);
      clock.track(moveDue());
    },
    async close() {
      closed = true;
      if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
      await Promise.all(underWay);
    },
  };
}
