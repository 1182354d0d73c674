import type { Clock, TimerHandle } from './clock.ts';

/** Bounds the delay of the timer: a data file from a clock far ahead may exceed the maximum delay. */
const MAX_SLEEP_MILLISECONDS = 86_400_000;

/** The one timer of a queue. Calls back when its next entry may be due, also after the clock has leapt. */
export class WakeUp {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #timer: TimerHandle | undefined;
  #stopListening = (): void => {};

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Listens to the clock from now on. */
  start(): void {
    this.#stopListening = this.#clock.onLeap(this.#wake);
  }

  /** Replaces the timer. `dueAt` is a steady time; undefined if nothing is queued. */
  setTo(dueAt: number | undefined): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    if (dueAt === undefined) return;
    const untilDue = Math.max(0, dueAt - this.#clock.steady());
    this.#timer = this.#clock.setTimeout(this.#wake, Math.min(MAX_SLEEP_MILLISECONDS, untilDue));
  }

  stop(): void {
    this.setTo(undefined);
    this.#stopListening();
  }
}
