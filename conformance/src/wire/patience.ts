import { CouldNotRun } from '../verdict/findings.ts';
import { Stopwatch } from './rate.ts';
import type { MonotonicClock } from './rate.ts';

const SLOW_MILLISECONDS = 5_000;
const MAX_WAITED_MILLISECONDS = 60_000;

/**
 * Sends nothing more to an API that is slow at every request: after a minute of waiting at 5 seconds for each request or
 * more. Each check would run out of its own time, one after the other.
 */
export class Patience {
  readonly #clock: MonotonicClock;
  readonly #waiting: Stopwatch;
  #exchanges = 0;
  #total = 0;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
    this.#waiting = new Stopwatch(clock);
  }

  /** Throws `CouldNotRun` when the run has waited too long. */
  require(): void {
    const waited = this.#waiting.milliseconds;
    const average = this.#exchanges === 0 ? 0 : this.#total / this.#exchanges;
    if (waited < MAX_WAITED_MILLISECONDS || average < SLOW_MILLISECONDS) return;
    throw new CouldNotRun(
      `the API is too slow for this run: ${(average / 1000).toFixed(1)} s for each request on average`,
      'run a part with --only, or test a deployment that responds sooner',
    );
  }

  /** Counts the time of an exchange, whatever its end. */
  async measure<Value>(exchange: () => Promise<Value>): Promise<Value> {
    const startedAt = this.#clock.now();
    this.#waiting.start();
    try {
      return await exchange();
    } finally {
      this.#waiting.stop();
      this.#exchanges += 1;
      this.#total += this.#clock.now() - startedAt;
    }
  }
}
