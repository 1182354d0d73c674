/**
 * Ends changes of the lab after a real time, so that a client that dies leaves none behind. Real time, because a
 * virtual clock may stand still or leap.
 */
export class Expiries {
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Calls back after the time. Returns a function that cancels it. Without a time, nothing happens. */
  after(milliseconds: number | undefined, end: () => void): () => void {
    if (milliseconds === undefined) return () => {};
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      end();
    }, milliseconds);
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  /** Cancels all. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
