/** The ids of one row of the inbox. */
interface Batch {
  readonly seq: number;
  readonly ids: readonly string[];
}

/** The ids of the events in the inbox, so that accepting an event reads no frame. */
export class UnfiledIds {
  readonly #ids = new Set<string>();
  #batches: Batch[] = [];
  #lastSeq = 0;

  /** The last row of the inbox that was added. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(batch: Batch): void {
    this.#batches.push(batch);
    for (const id of batch.ids) this.#ids.add(id);
    this.#lastSeq = batch.seq;
  }

  /** Removes the rows up to a number, which were filed. */
  remove(upToSeq: number): void {
    const filed = this.#batches.filter(({ seq }) => seq <= upToSeq);
    if (filed.length === this.#batches.length) this.#ids.clear();
    else for (const { ids } of filed) for (const id of ids) this.#ids.delete(id);
    this.#batches = this.#batches.slice(filed.length);
  }
}
