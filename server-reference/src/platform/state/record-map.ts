/** Records by id, in the order in which they were added. A deleted one can leave its place free for a time. */
export class RecordMap<I extends string, T extends object> {
  /** Undefined in a free place. */
  readonly #records = new Map<I, T | undefined>();
  /** To find a record by any text. */
  readonly #byText: ReadonlyMap<string, T | undefined> = this.#records;
  #freePlaces = 0;
  #keepsPlaces = false;

  get size(): number {
    return this.#records.size - this.#freePlaces;
  }

  get(id: string): T | undefined {
    return this.#byText.get(id);
  }

  /** Adds a record at the end, or puts it in the place of the record with its id, which may be free. */
  set(id: I, record: T): void {
    if (this.#freePlaces > 0 && this.#isFree(id)) this.#freePlaces -= 1;
    this.#records.set(id, record);
  }

  /** Deletes a record. After {@link keepPlaces}, its place stays free until {@link forget}. */
  delete(id: I): void {
    if (this.#records.get(id) === undefined) return;
    if (this.#keepsPlaces) {
      this.#records.set(id, undefined);
      this.#freePlaces += 1;
    } else this.#records.delete(id);
  }

  keepPlaces(): void {
    this.#keepsPlaces = true;
  }

  /** Gives up a free place. Does nothing if a record has it. */
  forget(id: I): void {
    if (this.#freePlaces === 0 || !this.#isFree(id)) return;
    this.#records.delete(id);
    this.#freePlaces -= 1;
  }

  values(): IterableIterator<T> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no place is ever free
    return this.#keepsPlaces ? this.#taken() : (this.#records.values() as IterableIterator<T>);
  }

  /** Undefined in a free place. */
  entries(): IterableIterator<[I, T | undefined]> {
    return this.#records.entries();
  }

  /** Returns a copy with the records as they are now. */
  copy(): Map<I, T | undefined> {
    const copy = new Map(this.#records);
    if (this.#freePlaces === 0) return copy;
    for (const [id, record] of copy) if (record === undefined) copy.delete(id);
    return copy;
  }

  #isFree(id: I): boolean {
    return this.#records.has(id) && this.#records.get(id) === undefined;
  }

  /** A loop may delete what comes later, so each place is looked at when it is reached. */
  *#taken(): IterableIterator<T> {
    for (const record of this.#records.values()) if (record !== undefined) yield record;
  }
}
