interface Waiting<T> {
  readonly entry: T;
  /** Orders entries that are due in the same millisecond. */
  readonly sequence: number;
  place: number;
}

/**
 * A priority queue ordered by due time, then by insertion. Entries are compared by identity, and each is
 * queued once. `add`, `remove` and `takeDue` take logarithmic time.
 */
export class DueQueue<T extends { readonly dueAt: number }> {
  /** A binary heap: the entry at `place` is due before its children at `2 * place + 1` and `2 * place + 2`. */
  readonly #heap: Waiting<T>[] = [];
  readonly #byEntry = new Map<object, Waiting<T>>();
  #added = 0;

  /** The due time of the first entry; undefined if the queue is empty. */
  get nextDueAt(): number | undefined {
    return this.#heap[0]?.entry.dueAt;
  }

  add(entry: T): void {
    const waiting: Waiting<T> = { entry, sequence: this.#added, place: this.#heap.length };
    this.#added += 1;
    this.#byEntry.set(entry, waiting);
    this.#heap.push(waiting);
    this.#rise(waiting);
  }

  /** Removes an entry. An entry that is not queued is ignored. */
  remove(entry: { readonly dueAt: number }): void {
    const removed = this.#byEntry.get(entry);
    if (removed === undefined) return;
    this.#byEntry.delete(entry);
    const last = this.#heap.pop();
    if (last === undefined || last === removed) return;
    this.#put(last, removed.place);
    this.#rise(last);
    this.#siftDown(last);
  }

  /** Removes and returns the first entry that is due at or before a time. */
  takeDue(now: number): T | undefined {
    const first = this.#heap[0]?.entry;
    if (first === undefined || first.dueAt > now) return undefined;
    this.remove(first);
    return first;
  }

  #put(waiting: Waiting<T>, place: number): void {
    this.#heap[place] = waiting;
    waiting.place = place;
  }

  #rise(waiting: Waiting<T>): void {
    while (waiting.place > 0) {
      const { place } = waiting;
      const above = this.#heap[(place - 1) >>> 1];
      if (above === undefined || isBefore(above, waiting)) return;
      this.#put(waiting, above.place);
      this.#put(above, place);
    }
  }

  #siftDown(waiting: Waiting<T>): void {
    for (;;) {
      const { place } = waiting;
      const [left, right] = [this.#heap[place * 2 + 1], this.#heap[place * 2 + 2]];
      const below =
        left !== undefined && right !== undefined && isBefore(right, left) ? right : left;
      if (below === undefined || isBefore(waiting, below)) return;
      this.#put(waiting, below.place);
      this.#put(below, place);
    }
  }
}

function isBefore<T extends { readonly dueAt: number }>(a: Waiting<T>, b: Waiting<T>): boolean {
  return a.entry.dueAt === b.entry.dueAt ? a.sequence < b.sequence : a.entry.dueAt < b.entry.dueAt;
}
