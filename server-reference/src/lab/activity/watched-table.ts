import type { DeepReadonly } from '../../store/read-only.ts';
import type { Table } from '../../store/table.ts';

/** A table that notes which records a commit adds, edits and deletes. */
export class WatchedTable<I extends string, T extends object> implements Table<I, T> {
  readonly #table: Table<I, T>;
  readonly #idOf: (record: DeepReadonly<T>) => I;
  readonly #touch: (id: I) => void;

  /**
   * @param idOf - returns the id under which the table has a record
   * @param touch - called before a record is added, edited or deleted
   */
  constructor(table: Table<I, T>, idOf: (record: DeepReadonly<T>) => I, touch: (id: I) => void) {
    this.#table = table;
    this.#idOf = idOf;
    this.#touch = touch;
  }

  get size(): number {
    return this.#table.size;
  }

  get(id: string): DeepReadonly<T> | undefined {
    return this.#table.get(id);
  }

  has(id: string): boolean {
    return this.#table.has(id);
  }

  values(): IterableIterator<DeepReadonly<T>> {
    return this.#table.values();
  }

  filter(accepts: (record: DeepReadonly<T>) => boolean): DeepReadonly<T>[] {
    return this.#table.filter(accepts);
  }

  find(accepts: (record: DeepReadonly<T>) => boolean): DeepReadonly<T> | undefined {
    return this.#table.find(accepts);
  }

  add(record: T): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every type is assignable to its readonly form, but not provably for a type parameter
    this.#touch(this.#idOf(record as DeepReadonly<T>));
    this.#table.add(record);
  }

  edit(id: I): T {
    this.#touch(id);
    return this.#table.edit(id);
  }

  delete(id: I): void {
    this.#touch(id);
    this.#table.delete(id);
  }

  deleteWhere(isGone: (record: DeepReadonly<T>) => boolean): void {
    this.#table.deleteWhere((record) => {
      const gone = isGone(record);
      if (gone) this.#touch(this.#idOf(record));
      return gone;
    });
  }
}
