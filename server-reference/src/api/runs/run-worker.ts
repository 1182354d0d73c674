import { dueTime } from '../../clock/clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { Schedule } from '../../clock/schedule.ts';
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
  /** The id of the run. */
  readonly id: RunId;
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
  readonly waits: {
    /** Receives every run whose change is durable. */
    announce(run: DeepReadonly<RunRecord>): void;
    /** Receives every run that is deleted. */
    end(runIds: readonly RunId[]): void;
  };
  readonly logger: Logger;
}

/**
 * Makes the scheduled transitions of runs when they are due, from {@link RunWorker.start} on.
 */
export class RunWorker {
  readonly #options: RunWorkerOptions;
  readonly #schedule: Schedule<DueMove>;
  readonly #inProgress = new Set<Promise<void>>();
  #closed = false;

  constructor(options: RunWorkerOptions) {
    this.#options = options;
    this.#schedule = new Schedule(options.clock, (due) => this.#begin(due));
  }

  /** Starts with the runs in the store. Overdue transitions are made immediately. */
  start(): void {
    const runs = [...this.#options.store.state.runs.values()];
    this.#schedule.set(runs.map((run) => [run.id, this.#nextMove(run)]));
  }

  /** Schedules the next transition of a run whose commit is durable, or none if it has none. */
  take(run: DeepReadonly<RunRecord>): void {
    this.#options.waits.announce(run);
    this.#schedule.set([[run.id, this.#nextMove(run)]]);
  }

  /** Call it for runs that are deleted. */
  forget(runIds: readonly RunId[]): void {
    this.#options.waits.end(runIds);
    this.#schedule.set(runIds.map((id) => [id, undefined]));
  }

  /** Stops. Resolves when the transitions in progress are done. The next start continues. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#schedule.stop();
    await Promise.all(this.#inProgress);
  }

  /** @param made - the transition before, from which the times of this run are counted */
  #nextMove(
    { id, scheduledTransitions: [next] }: DeepReadonly<RunRecord>,
    made?: DueMove,
  ): DueMove | undefined {
    if (next === undefined) return undefined;
    const { at } = next;
    const dueAt =
      made === undefined
        ? dueTime(this.#options.clock, at)
        : made.dueAt + Date.parse(at) - Date.parse(made.at);
    return { id, at, dueAt };
  }

  #begin(due: readonly DueMove[]): void {
    for (const one of due) {
      const run = this.#options.store.state.runs.get(one.id);
      if (run?.scheduledTransitions[0]?.at !== one.at) continue;
      const move = this.#makeMove(run, one).finally(() => this.#inProgress.delete(move));
      this.#inProgress.add(move);
      this.#options.clock.track(move);
    }
  }

  async #makeMove(run: DeepReadonly<RunRecord>, due: DueMove): Promise<void> {
    const { store, clock, sender, waits, logger } = this.#options;
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
    const isDeleted = !store.state.runs.has(run.id);
    this.#schedule.set([[run.id, isDeleted ? undefined : this.#nextMove(run, due)]]);
  }
}
