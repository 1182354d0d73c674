interface Entry {
  readonly id: string;
}

/** Compares a list of immutable entries that is kept in memory with what it was before. */
export class WatchedList<T extends Entry> {
  readonly #changed: (entry: T, before: T | undefined) => void;
  readonly #removed: (id: string) => void;
  #before: ReadonlyMap<string, T>;

  /**
   * @param entries - the entries now
   * @param changed - called with each entry that is new or not the same object as before
   * @param removed - called with the id of each entry that is gone
   */
  constructor(
    entries: readonly T[],
    changed: (entry: T, before: T | undefined) => void,
    removed: (id: string) => void,
  ) {
    this.#before = byId(entries);
    this.#changed = changed;
    this.#removed = removed;
  }

  /** Call it after each change of the list. */
  update(entries: readonly T[]): void {
    const before = this.#before;
    if (before.size === 0 && entries.length === 0) return;
    this.#before = byId(entries);
    for (const entry of entries) {
      const last = before.get(entry.id);
      if (last !== entry) this.#changed(entry, last);
    }
    for (const id of before.keys()) if (!this.#before.has(id)) this.#removed(id);
  }
}

function byId<T extends Entry>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
