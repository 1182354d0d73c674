import type { Clock } from '../clock.ts';
import { describeThrown } from '../thrown.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';

const HOUR_MILLISECONDS = 3_600_000;

interface RetentionSettings {
  readonly store: Pick<Store, 'purge'>;
  readonly clock: Clock;
  readonly retentionMilliseconds: number;
  readonly report: ReportProblem;
}

/** Lets the store forget old events and kept bodies whose time is over, once an hour. */
export class Retention {
  readonly #settings: RetentionSettings;
  #purgedAt = Number.NEGATIVE_INFINITY;
  #current = Promise.resolve();
  #isStopped = false;

  constructor(settings: RetentionSettings) {
    this.#settings = settings;
  }

  /** Call it often: after each delivery and each look for work. */
  readonly look = (): void => {
    const { clock, store, retentionMilliseconds } = this.#settings;
    const now = clock.monotonic();
    if (this.#isStopped || now - this.#purgedAt < HOUR_MILLISECONDS) return;
    this.#purgedAt = now;
    this.#current = store.purge(retentionMilliseconds).then(
      () => {},
      (cause: unknown) => {
        const message = `The store did not delete old events; the next try is in an hour. ${describeThrown(cause)}`;
        const about = { eventId: null, runId: null, cause };
        this.#settings.report({ ...about, code: 'store_unavailable', message });
      },
    );
  };

  /** Deletes nothing from now on, and waits for what is being deleted. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#current;
  }
}
