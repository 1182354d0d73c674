import type { Clock, TimerHandle } from '../clock/clock.ts';
import { DueQueue } from '../clock/due-queue.ts';
import type { Logger } from '../logger.ts';
import type { DeliveryRecord } from '../state/deliveries.ts';
import type { RunId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import { find } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { moveRun } from './change-run.ts';

/** A data file may come from a clock that was far ahead; to look early costs nothing. */
const MAX_SLEEP_MILLISECONDS = 86_400_000;

export interface RunWorkerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Takes the deliveries of every move. */
  readonly sender: { enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void };
  readonly logger: Logger;
}

/**
 * Makes the scheduled transitions of runs, each when it is due. It starts with the runs in the store that
 * have transitions to come; overdue ones are made at once.
 */
export class RunWorker {
  readonly #options: RunWorkerOptions;
  readonly #queue = new DueQueue<{ readonly runId: RunId; readonly dueAt: number }>();
  readonly #underWay = new Set<Promise<void>>();
  #wakeUp: TimerHandle | undefined;
  #closed = false;

  constructor(options: RunWorkerOptions) {
    const { store, clock } = options;
    this.#options = options;
    for (const run of Object.values(store.state.runs)) this.#schedule(run);
    clock.track(this.#moveDue());
  }

  /** Takes up a run whose commit is durable. A run without scheduled transitions is left alone. */
  take(run: DeepReadonly<RunRecord>): void {
    this.#schedule(run);
    this.#options.clock.track(this.#moveDue());
  }

  /** Makes no more moves; resolves when those under way are over. The next start goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#wakeUp !== undefined) this.#options.clock.clearTimeout(this.#wakeUp);
    await Promise.all(this.#underWay);
  }

  #schedule({ id: runId, scheduledTransitions: [next] }: DeepReadonly<RunRecord>): void {
    if (next !== undefined) this.#queue.add({ runId, dueAt: Date.parse(next.at) });
  }

  /** Resolves when the moves that it began are over. */
  async #moveDue(): Promise<void> {
    if (this.#closed) return;
    const { store, clock } = this.#options;
    const begun: Promise<void>[] = [];
    for (let due = this.#queue.takeDue(clock.now()); due; due = this.#queue.takeDue(clock.now())) {
      const run = find(store.state.runs, due.runId);
      if (run !== undefined && this.#isDue(run)) begun.push(this.#begin(run));
    }
    if (this.#wakeUp !== undefined) clock.clearTimeout(this.#wakeUp);
    const { nextDueAt } = this.#queue;
    if (nextDueAt !== undefined) {
      const sleep = Math.min(MAX_SLEEP_MILLISECONDS, Math.max(0, nextDueAt - clock.now()));
      this.#wakeUp = clock.setTimeout(() => this.#moveDue(), sleep);
    }
    await Promise.all(begun);
  }

  /** False for a run that was moved by hand since then: its scheduled transitions are gone. */
  #isDue({ scheduledTransitions: [next] }: DeepReadonly<RunRecord>): boolean {
    return next !== undefined && Date.parse(next.at) <= this.#options.clock.now();
  }

  #begin(run: DeepReadonly<RunRecord>): Promise<void> {
    const move = this.#makeNextMove(run).finally(() => this.#underWay.delete(move));
    this.#underWay.add(move);
    return move;
  }

  async #makeNextMove(run: DeepReadonly<RunRecord>): Promise<void> {
    const { store, clock, sender, logger } = this.#options;
    try {
      const deliveries = await store.commit((state) => {
        const moved = find(state.runs, run.id);
        const [next, ...scheduledTransitions] = moved?.scheduledTransitions ?? [];
        if (moved === undefined || next === undefined) return [];
        const { at: _at, ...move } = next;
        return moveRun(state, clock.now(), moved, { ...move, scheduledTransitions }).deliveries;
      });
      sender.enqueue(deliveries);
    } catch (error) {
      // A move that cannot be stored must not be followed by another: the next start goes on from the file.
      this.#closed = true;
      logger.error(`runs stop: a move cannot be stored (${run.id})`, error);
      return;
    }
    this.#schedule(run);
    clock.track(this.#moveDue());
  }
}
