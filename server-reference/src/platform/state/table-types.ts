import type { DeepReadonly } from './read-only.ts';

/** The records of one kind, keyed by id, for readers. Safe for ids such as `__proto__`. */
export interface ReadonlyTable<T> {
  readonly size: number;
  get(id: string): DeepReadonly<T> | undefined;
  has(id: string): boolean;
  /** The records in the order in which they were added. */
  values(): IterableIterator<DeepReadonly<T>>;
}

/** The records of one kind inside a commit. Reading never marks a record as changed. */
export interface Table<I extends string, T> extends ReadonlyTable<T> {
  /** Adds a record, or replaces the record with its id in place. */
  add(record: T): void;
  /**
   * Returns a record that may be changed until the commit ends, and marks it as changed. Refuse what must be
   * refused before you call it.
   *
   * @throws {RangeError} when no record has this id
   */
  edit(id: I): T;
  /** Deletes a record. Does nothing without one. */
  delete(id: I): void;
  deleteWhere(isGone: (record: DeepReadonly<T>) => boolean): void;
}

/** What follows the records of a table. */
export interface Index<I, T> {
  /** Takes over a changed record; undefined for a deleted one. */
  refile(id: I, record: T | undefined): void;
  /** Called after the last of the records that changed. */
  settle?(): void;
  /** Orders its entries as the records are, if it has them in the order in which they entered it. */
  reorder?(ids: Iterable<I>): void;
}

/** Ids per owner in a fixed order. A page of the list is then a slice. */
export interface OrderedIds<I extends string> {
  /** The ids of an owner, in order. It is replaced or changed by the next commit. */
  of(owner: string): readonly I[];
}

/** The list that a record belongs to, or null, and its place there. */
export interface Filing<T> {
  readonly owner: (record: T) => string | null;
  readonly key: (record: T) => string;
}

/** The order of keys. Records with equal keys are ordered by id. */
export type SortOrder = 'ascending' | 'descending';
