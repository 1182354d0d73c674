import type { Clock } from '@hookproof/server-reference';

type Timer = { readonly dueAt: number; readonly callback: () => unknown };

/**
 * A clock that fires its timers when it is moved. It is written here so that a measurement counts no file of
 * the server's virtual clock.
 */
export class HeldClock implements Clock {
  #now = Date.parse('2026-07-01T00:00:00.000Z');
  readonly #timers = new Set<Timer>();
  readonly #work = new Set<Promise<unknown>>();

  steady(): number {
    return this.now();
  }

  onLeap(): () => void {
    return () => {};
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => unknown, delayMilliseconds: number): Timer {
    const timer = { dueAt: this.#now + delayMilliseconds, callback };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(handle: { readonly dueAt: number }): void {
    this.#timers.delete(handle as Timer);
  }

  track(work: Promise<unknown>): { pause(): void; resume(): void } {
    this.#work.add(work);
    const done = (): void => void this.#work.delete(work);
    work.then(done, done);
    return { pause: () => {}, resume: () => {} };
  }

  /** Fires what falls due and waits for all work. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await this.#rest();
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = timer.dueAt;
      await timer.callback();
      await this.#rest();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ dueAt }) => dueAt <= end);
    return due.toSorted((a, b) => a.dueAt - b.dueAt)[0];
  }

  async #rest(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }
}
