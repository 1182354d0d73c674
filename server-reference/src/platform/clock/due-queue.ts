interface Waiting<T> {
  readonly entry: T;
  /** Tells apart what falls due in the same millisecond. */
  readonly sequence: number;
  place: number;
}

/**
 * Things that fall due: by due time, and those of the same millisecond in the order they were added.
 * An entry is known by its identity and waits here once. Each step costs the logarithm of what waits.
 */
export class DueQueue<T extends { readonly dueAt: number }> {
  /** A binary heap: what stands at `place` falls due before what stands at twice that and one or two more. */
  readonly #heap: Waiting<T>[] = [];
  readonly #byEntry = new Map<object, Waiting<T>>();
  #added = 0;

  /** When the first entry falls due; undefined without entries. */
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

  /** Forgets an entry; one that is not here is no error. */
  remove(wanted: { readonly dueAt: number }): void {
    const removed = this.#byEntry.get(wanted);
    if (removed === undefined) return;
    this.#byEntry.delete(wanted);
    const last = this.#heap.pop();
    if (last === undefined || last === removed) return;
    this.#put(last, removed.place);
    this.#rise(last);
    this.#sink(last);
  }

  takeDue(atLatest: number): T | undefined {
    const first = this.#heap[0]?.entry;
    if (first === undefined || first.dueAt > atLatest) return undefined;
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

  #sink(waiting: Waiting<T>): void {
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
