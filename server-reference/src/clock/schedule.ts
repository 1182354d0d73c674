import type { Clock, TimerHandle } from './clock.ts';
import { DueQueue } from './due-queue.ts';

/** Entries that wait for their time, and one alarm for the first of them. */
export class Schedule<T extends { readonly dueAt: number }> {
  readonly #clock: Clock;
  readonly #onDue: (due: readonly T[]) => void;
  readonly #entries = new DueQueue<T>();
  #alarm: TimerHandle | undefined;
  #isStopped = false;

  /** @param onDue - called with all entries that are due at one moment, in the order of their times */
  constructor(clock: Clock, onDue: (due: readonly T[]) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Whether an entry is due that was not called back yet. */
  get isDue(): boolean {
    return (this.#entries.nextDueAt ?? Infinity) <= this.#clock.steady();
  }

  /** Adds entries, and calls back at once with those that are due. `dueAt` is a steady time. */
  add(entries: readonly T[]): void {
    for (const entry of entries) this.#entries.add(entry);
    this.#callBack();
  }

  /** Nothing is called back from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#clearAlarm();
  }

  #callBack(): void {
    if (this.#isStopped) return;
    const now = this.#clock.steady();
    const due: T[] = [];
    for (let entry = this.#entries.takeDue(now); entry; entry = this.#entries.takeDue(now)) {
      due.push(entry);
    }
    this.#clearAlarm();
    const { nextDueAt } = this.#entries;
    if (nextDueAt !== undefined) {
      this.#alarm = this.#clock.setAlarm(() => this.#callBack(), nextDueAt);
    }
    if (due.length > 0) this.#onDue(due);
  }

  #clearAlarm(): void {
    if (this.#alarm !== undefined) this.#clock.clearTimeout(this.#alarm);
  }
}
