/**
 * A queue ordered by due time, then by insertion. Entries are compared by identity, and each is queued once. Its due
 * time must not change meanwhile.
 */
export class DueQueue<T extends { readonly dueAt: number }> {
  readonly #entries: T[] = [];

  /** The due time of the first entry; undefined if the queue is empty. */
  get nextDueAt(): number | undefined {
    return this.#entries[0]?.dueAt;
  }

  add(entry: T): void {
    this.#entries.splice(this.#placeAfter(entry.dueAt), 0, entry);
  }

  /** Removes an entry. An entry that is not queued is ignored. */
  remove(entry: { readonly dueAt: number }): void {
    const queued: readonly { readonly dueAt: number }[] = this.#entries;
    const end = this.#placeAfter(entry.dueAt);
    const place = end === 0 ? -1 : queued.lastIndexOf(entry, end - 1);
    if (place !== -1) this.#entries.splice(place, 1);
  }

  /** Removes and returns the first entry that is due at or before a time. */
  takeDue(now: number): T | undefined {
    const [first] = this.#entries;
    return first === undefined || first.dueAt > now ? undefined : this.#entries.shift();
  }

  /** The number of entries that are due at or before a time. */
  #placeAfter(time: number): number {
    let [from, to] = [0, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#entries[middle]?.dueAt ?? 0) <= time) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
