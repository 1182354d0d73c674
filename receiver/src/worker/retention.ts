import type { Clock } from '../clock.ts';
import { describeThrown } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';

const HOUR_MILLISECONDS = 3_600_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;
/** Clocks that are set a little all the time differ by less in an hour. */
const MAX_LEAP_MILLISECONDS = 60_000;

export interface RetentionSettings {
  readonly store: Store;
  readonly clock: Clock;
  readonly retentionMilliseconds: number;
  readonly report: ReportProblem;
}

/**
 * Deletes events older than the retention, and kept bodies whose time is over. A clock that is wrong for a moment
 * would delete ids that are still needed, so they are deleted only when a delivery shows that the clock of the store
 * is right. Bodies are deleted without one too, when that clock did not leap for an hour.
 */
export class Retention {
  readonly #settings: RetentionSettings;
  #purgedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The time of the store at the last look. */
  #seen: { readonly monotonic: number; readonly wall: number } | null = null;
  #current = Promise.resolve();
  #isStopped = false;

  constructor(settings: RetentionSettings) {
    this.#settings = settings;
  }

  /** Call it after a delivery, with its signed time in seconds. Deletes at most once an hour. */
  delivered(timestamp: number): void {
    const { clock, store, retentionMilliseconds } = this.#settings;
    const now = clock.monotonic();
    if (this.#isStopped || now - this.#purgedAt < HOUR_MILLISECONDS) return;
    if (Math.abs(clock.now() - timestamp * 1_000) > DAY_MILLISECONDS) return;
    this.#purgedAt = now;
    this.#run('old events', async () => {
      if (Math.abs((await store.now()) - timestamp * 1_000) > DAY_MILLISECONDS) return;
      await store.purgeBodies();
      await store.purge(retentionMilliseconds);
    });
  }

  /** Call it at least once an hour. Deletes bodies at most once an hour. */
  looked(): void {
    const { clock, store } = this.#settings;
    const now = clock.monotonic();
    if (this.#isStopped || now - this.#lookedAt < HOUR_MILLISECONDS) return;
    this.#lookedAt = now;
    this.#run('old bodies', async () => {
      const last = this.#seen;
      const monotonic = clock.monotonic();
      const wall = await store.now();
      this.#seen = { monotonic, wall };
      if (last === null) return;
      const leap = Math.abs(wall - last.wall - (monotonic - last.monotonic));
      if (leap < MAX_LEAP_MILLISECONDS) await store.purgeBodies();
    });
  }

  /** Deletes nothing from now on, and waits for what is being deleted. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#current;
  }

  #run(what: string, purge: () => Promise<void>): void {
    this.#current = this.#current.then(purge).catch((cause: unknown) => {
      const message = `The store did not delete ${what}; the next try is in an hour. ${describeThrown(cause)}`;
      this.#settings.report({
        code: 'store_unavailable',
        message,
        eventId: null,
        runId: null,
        cause,
      });
    });
  }
}
