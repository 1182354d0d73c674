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

/** Bounds the delay of the timer: a data file from a clock far ahead may exceed the maximum delay. */
const MAX_SLEEP_MILLISECONDS = 86_400_000;

export interface RunWorkerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Receives the deliveries of every transition. */
  readonly sender: { enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void };
  readonly logger: Logger;
}

/**
 * Makes the scheduled transitions of runs when they are due. The constructor starts with the runs in the
 * store. Overdue transitions are made immediately.
 */
export class RunWorker {
  readonly #options: RunWorkerOptions;
  readonly #queue = new DueQueue<{ readonly runId: RunId; readonly dueAt: number }>();
  readonly #inProgress = new Set<Promise<void>>();
  #wakeUp: TimerHandle | undefined;
  #closed = false;

  constructor(options: RunWorkerOptions) {
    const { store, clock } = options;
    this.#options = options;
    for (const run of Object.values(store.state.runs)) this.#schedule(run);
    clock.track(this.#moveDue());
  }

  /** Schedules the next transition of a run whose commit is durable, if it has one. */
  take(run: DeepReadonly<RunRecord>): void {
    this.#schedule(run);
    this.#options.clock.track(this.#moveDue());
  }

  /** Stops. Resolves when the transitions in progress are done. The next start continues. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#wakeUp !== undefined) this.#options.clock.clearTimeout(this.#wakeUp);
    await Promise.all(this.#inProgress);
  }

  #schedule({ id: runId, scheduledTransitions: [next] }: DeepReadonly<RunRecord>): void {
    if (next !== undefined) this.#queue.add({ runId, dueAt: Date.parse(next.at) });
  }

  /** Resolves when the started transitions are done. */
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

  /** False if the run was moved over the control interface, which removes its scheduled transitions. */
  #isDue({ scheduledTransitions: [next] }: DeepReadonly<RunRecord>): boolean {
    return next !== undefined && Date.parse(next.at) <= this.#options.clock.now();
  }

  #begin(run: DeepReadonly<RunRecord>): Promise<void> {
    const move = this.#makeNextMove(run).finally(() => this.#inProgress.delete(move));
    this.#inProgress.add(move);
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
      // No transition may follow one that was not stored. The next start continues from the data file.
      this.#closed = true;
      logger.error(`Runs stop: a move of run ${run.id} cannot be stored.`, error);
      return;
    }
    this.#schedule(run);
    clock.track(this.#moveDue());
  }
}
