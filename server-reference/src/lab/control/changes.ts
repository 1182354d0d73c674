/** Tells whoever waits for a state that something has changed. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  readonly announce = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Calls back after every change from now on; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
