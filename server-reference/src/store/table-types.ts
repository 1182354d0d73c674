import type { DeepReadonly } from './read-only.ts';

/** The records of one kind, keyed by id, for readers. Safe for ids such as `__proto__`. */
export interface ReadonlyTable<T> {
  readonly size: number;
  get(id: string): DeepReadonly<T> | undefined;
  has(id: string): boolean;
  /** The records in the order in which they were added. */
  values(): IterableIterator<DeepReadonly<T>>;
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

/** What follows the records of a table. */
export interface Index<I, T> {
  /** Takes over a changed record; undefined for a deleted one. */
  update(id: I, record: T | undefined): void;
}

/** Ids per owner in a fixed order. A page of the list is then a slice. */
export interface OrderedIds<I extends string> {
  /** The ids of an owner, in order. The next commit may change the list. */
  of(owner: string): readonly I[];
}

/** Ids per group, in the order in which they entered it. */
export interface Groups<I extends string> {
  of(group: string): ReadonlySet<I>;
  /** The ids in all groups. */
  all(): Iterable<I>;
  entries(): Iterable<readonly [group: string, ids: ReadonlySet<I>]>;
}
