/** Notifies waiting requests of every change. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  /** Calls all listeners. */
  readonly announce = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Calls back after every later change. Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
