import type { TimerCallback, TimerHandle } from './clock.ts';

export interface VirtualTimer extends TimerHandle {
  readonly setAt: number;
  readonly callback: TimerCallback;
}

/** Timers by due time; those of the same millisecond in the order they were set. */
export class TimerQueue {
  readonly #timers: VirtualTimer[] = [];

  add(timer: VirtualTimer): void {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.dueAt ?? Infinity) <= timer.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
  }

  remove(handle: TimerHandle): void {
    const index = this.#timers.findIndex((timer) => timer === handle);
    if (index >= 0) this.#timers.splice(index, 1);
  }

  takeDue(atLatest: number): VirtualTimer | undefined {
    const first = this.#timers[0];
    if (first === undefined || first.dueAt > atLatest) return undefined;
    return this.#timers.shift();
  }
}
