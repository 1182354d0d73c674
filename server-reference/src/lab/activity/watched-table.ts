import type { DeepReadonly } from '../../platform/state/read-only.ts';
import type { Table } from '../../platform/state/table.ts';

/** A table that notes which records a commit adds, edits and deletes. */
export class WatchedTable<I extends string, T extends { readonly id: I }> implements Table<I, T> {
  readonly #table: Table<I, T>;
  readonly #touch: (id: I) => void;

  /** @param touch - called before a record is added, edited or deleted */
  constructor(table: Table<I, T>, touch: (id: I) => void) {
    this.#table = table;
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

  add(record: T): void {
    this.#touch(record.id);
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
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an id is a string, which is the same when read only
      if (gone) this.#touch(record.id as I);
      return gone;
    });
  }
}
