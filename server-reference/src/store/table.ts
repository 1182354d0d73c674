import type { DeepReadonly } from './read-only.ts';

/** The records of one kind, keyed by id, for readers. Safe for ids such as `__proto__`. */
export interface ReadonlyTable<T> {
  readonly size: number;
  get(id: string): DeepReadonly<T> | undefined;
  has(id: string): boolean;
  /** The records in the order in which they were added. */
  values(): IterableIterator<DeepReadonly<T>>;
  /** Returns the records that a condition accepts, in the order in which they were added. */
  filter(accepts: (record: DeepReadonly<T>) => boolean): DeepReadonly<T>[];
  /** Returns the first record that a condition accepts. */
  find(accepts: (record: DeepReadonly<T>) => boolean): DeepReadonly<T> | undefined;
}

/** The records of one kind inside a commit. */
export interface Table<I extends string, T> extends ReadonlyTable<T> {
  /** Adds a record, or replaces the record with its id in place. */
  add(record: T): void;
  /**
   * Returns a record that may be changed until the commit ends. Refuse what must be refused before you call it.
   *
   * @throws {RangeError} when no record has this id
   */
  edit(id: I): T;
  /** Deletes a record. Does nothing without one. */
  delete(id: I): void;
  deleteWhere(isGone: (record: DeepReadonly<T>) => boolean): void;
}

/** A table, and the JSON of its records for the data file. */
export class RecordTable<I extends string, T extends object> implements Table<I, T> {
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

  add(record: T): void {
    const id = this.#idOf(record);
    this.#change(id);
    this.#records.set(id, record);
  }

  edit(id: I): T {
    const record = this.#records.get(id);
    if (record === undefined) throw new RangeError(`No record has the id ${id}.`);
    this.#change(id);
    return record;
  }

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
