import { dueTime } from '../../clock/clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { DueQueue } from '../../clock/due-queue.ts';
import { WakeUp } from '../../clock/wake-up.ts';
import type { Logger } from '../../logger.ts';
import type { DeliveryRecord } from '../../store/deliveries.ts';
import type { RunId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord } from '../../store/runs.ts';
import { commitOwn } from '../../store/commit-own.ts';
import type { Store } from '../../store/store.ts';
import { moveRun } from '../../events/run-change.ts';

/** The next transition of a run. */
interface DueMove {
  readonly runId: RunId;
  /** Its scheduled time. A run with another next transition was moved meanwhile. */
  readonly at: string;
  /** By the steady time of the clock. */
  readonly dueAt: number;
}

interface RunWorkerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Receives the deliveries of every transition. */
  readonly sender: { enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void };
  /** Receives every run whose change is durable. */
  readonly waits: { announce(run: DeepReadonly<RunRecord>): void };
  readonly logger: Logger;
}

/**
 * Makes the scheduled transitions of runs when they are due, from {@link RunWorker.start} on.
 */
export class RunWorker {
  readonly #options: RunWorkerOptions;
  readonly #queue = new DueQueue<DueMove>();
  readonly #inProgress = new Set<Promise<void>>();
  readonly #wakeUp: WakeUp;
  #closed = false;

  constructor(options: RunWorkerOptions) {
    this.#options = options;
    this.#wakeUp = new WakeUp(options.clock, () => this.#moveDue());
  }

  /** Starts with the runs in the store. Overdue transitions are made immediately. */
  start(): void {
    this.#wakeUp.start();
    for (const run of this.#options.store.state.runs.values()) this.#schedule(run);
    this.#moveDue();
  }

  /** Schedules the next transition of a run whose commit is durable, if it has one. */
  take(run: DeepReadonly<RunRecord>): void {
    this.#options.waits.announce(run);
    this.#schedule(run);
    this.#moveDue();
  }

  /** Stops. Resolves when the transitions in progress are done. The next start continues. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wakeUp.stop();
    await Promise.all(this.#inProgress);
  }

  /** @param made - the transition before, from which the times of this run are counted */
  #schedule(
    { id: runId, scheduledTransitions: [next] }: DeepReadonly<RunRecord>,
    made?: DueMove,
  ): void {
    if (next === undefined) return;
    const dueAt =
      made === undefined
        ? dueTime(this.#options.clock, next.at)
        : made.dueAt + Date.parse(next.at) - Date.parse(made.at);
    this.#queue.add({ runId, at: next.at, dueAt });
  }

  #moveDue(): void {
    if (this.#closed) return;
    const { store, clock } = this.#options;
    const now = clock.steady();
    for (let due = this.#queue.takeDue(now); due; due = this.#queue.takeDue(now)) {
      const run = store.state.runs.get(due.runId);
      if (run?.scheduledTransitions[0]?.at === due.at) this.#begin(run, due);
    }
    this.#wakeUp.setTo(this.#queue.nextDueAt);
  }

  #begin(run: DeepReadonly<RunRecord>, due: DueMove): void {
    const move = this.#makeMove(run, due).finally(() => this.#inProgress.delete(move));
    this.#inProgress.add(move);
    this.#options.clock.track(move);
  }

  async #makeMove(run: DeepReadonly<RunRecord>, due: DueMove): Promise<void> {
    const { clock, sender, waits, logger } = this.#options;
    try {
      const deliveries = await commitOwn(this.#options, (state) => {
        if (!state.runs.has(run.id)) return [];
        const moved = state.runs.edit(run.id);
        const [next, ...scheduledTransitions] = moved.scheduledTransitions;
        if (next === undefined) return [];
        const { at: _at, ...move } = next;
        return moveRun(state, clock.now(), moved, { ...move, scheduledTransitions }).deliveries;
      });
      sender.enqueue(deliveries);
    } catch (error) {
      if (!this.#closed) logger.error(`A transition of run ${run.id} failed.`, error);
      return;
    }
    waits.announce(run);
    this.#schedule(run, due);
    this.#moveDue();
  }
}
