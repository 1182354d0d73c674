import { CouldNotRun } from '../verdict/findings.ts';
import { Stopwatch } from './rate.ts';
import type { MonotonicClock } from './rate.ts';

const SLOW_MILLISECONDS = 2_000;
/** The first requests are slower than the others at many targets. */
const TELLING_EXCHANGES = 20;

const HANGING_MILLISECONDS = 5_000;
const MAX_WAITED_MILLISECONDS = 60_000;

/**
 * Tells that an API is slow, and sends nothing more to one that hangs: after a minute of waiting, when most requests get
 * no complete response. Each check would run out of its own time, one after the other. A slow response is one all the
 * same: the contract has no time limit.
 */
export class Patience {
  readonly #clock: MonotonicClock;
  readonly #notice: (text: string) => void;
  readonly #waiting: Stopwatch;
  #exchanges = 0;
  #completed = 0;
  #total = 0;
  #isTold = false;

  constructor(clock: MonotonicClock, notice: (text: string) => void) {
    this.#clock = clock;
    this.#notice = notice;
    this.#waiting = new Stopwatch(clock);
  }

  /** Throws `CouldNotRun` when the run has waited too long. */
  require(): void {
    const average = this.#average();
    if (this.#completed * 2 >= this.#exchanges || average < HANGING_MILLISECONDS) return;
    if (this.#waiting.milliseconds < MAX_WAITED_MILLISECONDS) return;
    throw new CouldNotRun(
      `the API gave a complete response to ${this.#completed} of ${this.#exchanges} requests, after ${seconds(average)} s each`,
      'run a part with --only, or test a deployment that responds',
    );
  }

  /** Counts the time of an exchange, whatever its end. */
  async measure<Value>(exchange: () => Promise<Value>): Promise<Value> {
    const startedAt = this.#clock.now();
    this.#waiting.start();
    try {
      const value = await exchange();
      this.#completed += 1;
      return value;
    } finally {
      this.#waiting.stop();
      this.#exchanges += 1;
      this.#total += this.#clock.now() - startedAt;
      this.#tell();
    }
  }

  #tell(): void {
    const average = this.#average();
    if (this.#isTold || this.#exchanges < TELLING_EXCHANGES || average < SLOW_MILLISECONDS) return;
    this.#isTold = true;
    this.#notice(
      `The API takes ${seconds(average)} s for each request: the run takes as much longer. --only runs a part.`,
    );
  }

  #average(): number {
    return this.#exchanges === 0 ? 0 : this.#total / this.#exchanges;
  }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
