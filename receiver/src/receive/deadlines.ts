import type { Clock, TimerHandle } from '../clock.ts';

/** Something that must end before a time on the monotonic clock. */
export interface Deadline {
  readonly at: number;
  expire(): void;
}

/** Deadlines that are all equally far away when they are added, with one timer for all of them. */
export class Deadlines<Entry extends Deadline> {
  readonly #entries = new Set<Entry>();
  readonly #clock: Clock;
  readonly #milliseconds: number;
  #timer: TimerHandle | undefined;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  /** Returns the time at which a deadline that is added now must expire. */
  next(now: number = this.#clock.monotonic()): number {
    return now + this.#milliseconds;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    this.#timer ??= this.#clock.setTimeout(this.#sweep, this.#milliseconds);
  }

  delete(entry: Entry): void {
    this.#entries.delete(entry);
  }

  /** Returns the deadline that expires first. */
  oldest(): Entry | undefined {
    return this.#entries.values().next().value;
  }

  /** Stops the timer. Deadlines that are still open never expire. */
  close(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#entries.clear();
  }

  readonly #sweep = (): void => {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (const entry of this.#entries) {
      if (entry.at > now) {
        this.#timer = this.#clock.setTimeout(this.#sweep, Math.ceil(entry.at - now));
        return;
      }
      this.#entries.delete(entry);
      entry.expire();
    }
  };
}
