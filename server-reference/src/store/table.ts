import type { DeepReadonly } from './read-only.ts';

/** A table for readers. */
export type ReadonlyTable<T extends object> = Pick<
  Table<string, T>,
  'size' | 'get' | 'has' | 'values' | 'filter' | 'find'
>;

/** The records of one kind, keyed by id, and their JSON for the data file. Safe for ids such as `__proto__`. */
export class Table<I extends string, T extends object> {
  readonly #records = new Map<I, T>();
  /** To find a record by any text. */
  readonly #byText: ReadonlyMap<string, T> = this.#records;
  readonly #idOf: (record: T) => I;
  readonly #onChange: (id: I) => void;
  /** The JSON of the records that have not changed since they were last written. */
  readonly #json = new Map<I, string>();

  /** @param onChange - called before each change of a record */
  constructor(idOf: (record: T) => I, onChange: (id: I) => void) {
    this.#idOf = idOf;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): DeepReadonly<T> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every type is assignable to its readonly form, but not provably for a type parameter
    return this.#byText.get(id) as DeepReadonly<T> | undefined;
  }

  has(id: string): boolean {
    return this.#byText.has(id);
  }

  /** Returns the records in the order in which they were added, as the other lists are. */
  values(): IterableIterator<DeepReadonly<T>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `get`
    return this.#records.values() as IterableIterator<DeepReadonly<T>>;
  }

  filter(accepts: (record: DeepReadonly<T>) => boolean): DeepReadonly<T>[] {
    return [...this.values()].filter(accepts);
  }

  find(accepts: (record: DeepReadonly<T>) => boolean): DeepReadonly<T> | undefined {
    for (const record of this.values()) if (accepts(record)) return record;
    return undefined;
  }

  /** Adds a record, or replaces the record with its id in place. */
  add(record: T): void {
    const id = this.#idOf(record);
    this.#change(id);
    this.#records.set(id, record);
  }

  /**
   * Returns a record that may be changed until the commit ends. Refuse what must be refused before you call it.
   *
   * @throws {RangeError} when no record has this id
   */
  edit(id: I): T {
    const record = this.#records.get(id);
    if (record === undefined) throw new RangeError(`No record has the id ${id}.`);
    this.#change(id);
    return record;
  }

  /** Deletes a record. Does nothing without one. */
  delete(id: I): void {
    if (!this.#records.has(id)) return;
    this.#change(id);
    this.#records.delete(id);
  }

  deleteWhere(isGone: (record: DeepReadonly<T>) => boolean): void {
    for (const [id, record] of this.#records) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `get`
      if (isGone(record as DeepReadonly<T>)) this.delete(id);
    }
  }

  /** Returns the JSON of each record. */
  *json(): Iterable<string> {
    for (const [id, record] of this.#records) {
      const json = this.#json.get(id) ?? JSON.stringify(record);
      this.#json.set(id, json);
      yield json;
    }
  }

  #change(id: I): void {
    this.#onChange(id);
    this.#json.delete(id);
  }
}
