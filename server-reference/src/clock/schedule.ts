import type { Clock, TimerHandle } from './clock.ts';
import { DueQueue } from './due-queue.ts';

/** At most one entry of each id, which waits for its time, and one alarm for the first of them. */
export class Schedule<T extends { readonly id: string; readonly dueAt: number }> {
  readonly #clock: Clock;
  readonly #onDue: (due: readonly T[]) => void;
  readonly #entries = new Map<string, T>();
  readonly #queue = new DueQueue<T>();
  #alarm: TimerHandle | undefined;
  #isStopped = false;

  /** @param onDue - called with all entries that are due at one moment, in the order of their times */
  constructor(clock: Clock, onDue: (due: readonly T[]) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Whether an entry is due that was not called back yet. */
  get isDue(): boolean {
    return (this.#queue.nextDueAt ?? Infinity) <= this.#clock.steady();
  }

  /**
   * Sets the entries of ids, and calls back at once with those that are due. `dueAt` is a steady time. An id has no
   * entry after undefined.
   */
  set(entries: readonly (readonly [id: string, entry: T | undefined])[]): void {
    for (const [id, entry] of entries) {
      const replaced = this.#entries.get(id);
      if (replaced !== undefined) this.#queue.remove(replaced);
      if (entry === undefined) this.#entries.delete(id);
      else {
        this.#entries.set(id, entry);
        this.#queue.add(entry);
      }
    }
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
    for (let entry = this.#queue.takeDue(now); entry; entry = this.#queue.takeDue(now)) {
      this.#entries.delete(entry.id);
      due.push(entry);
    }
    this.#clearAlarm();
    const { nextDueAt } = this.#queue;
    if (nextDueAt !== undefined) {
      this.#alarm = this.#clock.setAlarm(() => this.#callBack(), nextDueAt);
    }
    if (due.length > 0) this.#onDue(due);
  }

  #clearAlarm(): void {
    if (this.#alarm !== undefined) this.#clock.clearTimeout(this.#alarm);
  }
}
