import type { Clock } from '../clock.ts';
import { describeThrown } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';

const HOUR_MILLISECONDS = 3_600_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

export interface RetentionSettings {
  readonly store: Store;
  readonly clock: Clock;
  readonly retentionMilliseconds: number;
  readonly report: ReportProblem;
}

/**
 * Deletes events older than the retention. A clock that is wrong for a moment would delete ids that are
 * still needed, so it acts only when a delivery shows that the clock is right.
 */
export class Retention {
  readonly #settings: RetentionSettings;
  #purgedAt = Number.NEGATIVE_INFINITY;
  #current = Promise.resolve();
  #isStopped = false;

  constructor(settings: RetentionSettings) {
    this.#settings = settings;
  }

  /** Call it after a delivery, with its signed time in seconds. Deletes at most once an hour. */
  delivered(timestamp: number): void {
    const { clock } = this.#settings;
    const now = clock.monotonic();
    if (this.#isStopped || now - this.#purgedAt < HOUR_MILLISECONDS) return;
    if (Math.abs(clock.now() - timestamp * 1_000) > DAY_MILLISECONDS) return;
    this.#purgedAt = now;
    this.#current = this.#purge();
  }

  /** Deletes nothing from now on, and waits for what is being deleted. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#current;
  }

  async #purge(): Promise<void> {
    const { store, retentionMilliseconds, report } = this.#settings;
    try {
      await store.purge(retentionMilliseconds);
    } catch (cause) {
      const message = `The store did not delete old events; the next try is in an hour. ${describeThrown(cause)}`;
      report({ code: 'store_unavailable', message, eventId: null, runId: null, cause });
    }
  }
}
