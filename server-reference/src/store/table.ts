import { GroupIndex } from './group-index.ts';
import { OrderedIndex } from './ordered-index.ts';
import type { ListEntry, SortOrder } from './ordered-index.ts';
import type { DeepReadonly } from './read-only.ts';
import type { Groups, Index, OrderedIds, ReadonlyTable, Table } from './table-types.ts';

export type { Groups, OrderedIds, ReadonlyTable, Table };

interface TableOptions<I extends string, T> {
  readonly idOf: (record: T) => I;
  /** Whether a record belongs to a world that is written to the data file. */
  readonly isStored: (record: T) => boolean;
  /** Called before each change. */
  readonly onChange: (isStored: boolean) => void;
}

/** A table with its indexes, and the JSON of its records for the data file. */
export class RecordTable<I extends string, T extends object> implements Table<I, T> {
  readonly #records = new Map<I, T>();
  /** To find a record by any text. */
  readonly #byText: ReadonlyMap<string, T> = this.#records;
  readonly #options: TableOptions<I, T>;
  readonly #indexes: Index<I, T>[] = [];
  /** Changed since the indexes were read: an edited record changes after the call of `edit`. */
  readonly #changed = new Set<I>();
  /** The JSON of the records that have not changed since they were last written. */
  readonly #json = new Map<I, string>();

  constructor(options: TableOptions<I, T>) {
    this.#options = options;
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

  add(record: T): void {
    const id = this.#options.idOf(record);
    this.#change(id, record);
    this.#records.set(id, record);
  }

  edit(id: I): T {
    const record = this.#records.get(id);
    if (record === undefined) throw new RangeError(`No record has the id ${id}.`);
    this.#change(id, record);
    return record;
  }

  delete(id: I): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#change(id, record);
    this.#records.delete(id);
  }

  deleteWhere(isGone: (record: DeepReadonly<T>) => boolean): void {
    for (const [id, record] of this.#records) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `get`
      if (isGone(record as DeepReadonly<T>)) this.delete(id);
    }
  }

  /** Adds an index: ids per owner, ordered by a key and then by id. */
  ordered(entry: ListEntry<T>, order: SortOrder): OrderedIds<I> {
    return this.#index(new OrderedIndex<I, T>(() => this.#updateIndexes(), entry, order));
  }

  /** Adds an index: ids per group, in the order in which they entered it. Null is not a group. */
  grouped(groupOf: (record: T) => string | null): Groups<I> {
    return this.#index(new GroupIndex<I, T>(() => this.#updateIndexes(), groupOf));
  }

  /** Returns the JSON of each stored record. */
  *json(): Iterable<string> {
    for (const [id, record] of this.#records) {
      if (!this.#options.isStored(record)) continue;
      const json = this.#json.get(id) ?? JSON.stringify(record);
      this.#json.set(id, json);
      yield json;
    }
  }

  #change(id: I, record: T): void {
    this.#changed.add(id);
    this.#json.delete(id);
    this.#options.onChange(this.#options.isStored(record));
  }

  #index<Added extends Index<I, T>>(index: Added): Added {
    this.#indexes.push(index);
    return index;
  }

  #updateIndexes(): void {
    if (this.#changed.size === 0) return;
    for (const id of this.#changed) {
      for (const index of this.#indexes) index.update(id, this.#records.get(id));
    }
    this.#changed.clear();
  }
}

/** Returns the records with these ids, in the order of the ids. Unknown ids are skipped. */
export function recordsOf<T>(ids: Iterable<string>, table: ReadonlyTable<T>): DeepReadonly<T>[] {
  const records: DeepReadonly<T>[] = [];
  for (const id of ids) {
    const record = table.get(id);
    if (record !== undefined) records.push(record);
  }
  return records;
}
