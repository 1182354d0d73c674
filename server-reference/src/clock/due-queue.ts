/** Things that fall due: by due time, and those of the same millisecond in the order they were added. */
export class DueQueue<T extends { readonly dueAt: number }> {
  readonly #entries: T[] = [];

  /** When the first entry falls due; undefined without entries. */
  get nextDueAt(): number | undefined {
    return this.#entries[0]?.dueAt;
  }

  add(entry: T): void {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.dueAt ?? Infinity) <= entry.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
  }

  remove(wanted: { readonly dueAt: number }): void {
    const index = this.#entries.findIndex((entry) => entry === wanted);
    if (index >= 0) this.#entries.splice(index, 1);
  }

  takeDue(atLatest: number): T | undefined {
    const first = this.#entries[0];
    if (first === undefined || first.dueAt > atLatest) return undefined;
    return this.#entries.shift();
  }
}
