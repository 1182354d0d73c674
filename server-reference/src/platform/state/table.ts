import { ChangeTracker } from './change-tracker.ts';
import type { Changes, RecordPlaces } from './change-tracker.ts';
import { GroupIndex } from './group-index.ts';
import type { Groups } from './group-index.ts';
import { HistoryIndex } from './history-index.ts';
import type { History } from './history-index.ts';
import { NameIndex } from './name-index.ts';
import type { Names } from './name-index.ts';
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

/** A table as the store sees it, whatever its records are. */
export interface StoredTable {
  readonly size: number;
  get(id: string): object | undefined;
  values(): IterableIterator<object>;
  /** Adds a record that was stored and checked. It does not count as changed. */
  load(record: object): void;
  /** Removes a record that was stored as deleted. */
  unload(id: string): void;
  /** From now on, keeps what {@link Changes} needs. Without this call, a change costs nothing more. */
  track(): Changes;
}

/** A table with its indexes. It collects the ids of changed records until they are taken. */
export class RecordTable<I extends string, T extends object> implements Table<I, T>, StoredTable {
  readonly #records = new RecordMap<I, T>();
  readonly #idOf: (record: T) => I;
  readonly #indexes: Index<I, T>[] = [];
  /** Changed since the indexes were read. */
  readonly #unfiled = new Set<I>();
  /** Whether any record may have changed since then. */
  #isUnfiled = false;
  /** Whether changes were taken back since then. */
  #isUndone = false;
  #tracker: ChangeTracker<I, T> | null = null;

  constructor(idOf: (record: T) => I) {
    this.#idOf = idOf;
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): DeepReadonly<T> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every type is assignable to its readonly form, but not provably for a type parameter
    return this.#records.get(id) as DeepReadonly<T> | undefined;
  }

  has(id: string): boolean {
    return this.#records.get(id) !== undefined;
  }

  values(): IterableIterator<DeepReadonly<T>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `get`
    return this.#records.values() as IterableIterator<DeepReadonly<T>>;
  }

  add(record: T): void {
    const id = this.#idOf(record);
    this.#mark(id);
    this.#records.set(id, record);
  }

  edit(id: I): T {
    const record = this.#records.get(id);
    if (record === undefined) throw new RangeError(`No record has the id ${id}.`);
    this.#mark(id);
    return record;
  }

  delete(id: I): void {
    if (this.#records.get(id) === undefined) return;
    this.#mark(id);
    this.#records.delete(id);
  }

  deleteWhere(isGone: (record: DeepReadonly<T>) => boolean): void {
    for (const record of this.#records.values()) {
      const id = this.#idOf(record);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `get`
      if (isGone(record as DeepReadonly<T>)) this.delete(id);
    }
  }

  load(record: object): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller has checked the record
    const checked = record as T;
    this.#records.set(this.#idOf(checked), checked);
    this.#isUnfiled = true;
  }

  unload(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#unfiled.add(this.#idOf(record));
    this.#records.delete(this.#idOf(record));
  }

  track(): Changes {
    this.#tracker = new ChangeTracker<I, T>(this.#records, (ids) => {
      for (const id of ids) this.#unfiled.add(id);
      this.#isUndone = true;
    });
    return this.#tracker;
  }

  /** Adds an index: ids per owner, ordered by a key and then by id. */
  ordered(filing: Filing<T>, order: SortOrder): OrderedIds<I> {
    return this.#index(new OrderedIndex<I, T>(() => this.#refile(), filing, order));
  }

  /** Adds an index: ids per group, in the order in which they entered it. Null is no group. */
  grouped(groupOf: (record: T) => string | null): Groups<I> {
    return this.#index(new GroupIndex<I, T>(() => this.#refile(), groupOf));
  }

  /** Adds an index: the records for which `isPast` holds, with their sizes. */
  history(
    isPast: (record: T) => boolean,
    largeBytesOf: (record: T) => number = () => 0,
  ): History<I> {
    return this.#index(new HistoryIndex<I, T>(() => this.#refile(), isPast, largeBytesOf));
  }

  /** Adds an index: the names that the records refer to. */
  naming(namesOf: (record: T) => readonly string[]): Names {
    return this.#index(new NameIndex<I, T>(() => this.#refile(), namesOf));
  }

  toJSON(): Record<string, T> {
    return Object.fromEntries([...this.#records.values()].map((one) => [this.#idOf(one), one]));
  }

  /** Call it before a change. */
  #mark(id: I): void {
    this.#unfiled.add(id);
    this.#tracker?.changes(id);
  }

  #index<Added extends Index<I, T>>(index: Added): Added {
    this.#indexes.push(index);
    return index;
  }

  /** Files changed records when an index is read, because an edited record changes after the call. */
  #refile(): void {
    if (this.#unfiled.size === 0 && !this.#isUnfiled) return;
    const changes = this.#isUnfiled ? this.#records.copy() : new Map<I, T | undefined>();
    this.#isUnfiled = false;
    for (const id of this.#unfiled) changes.set(id, this.#records.get(id));
    this.#unfiled.clear();
    for (const index of this.#indexes) index.refile(changes);
    if (this.#isUndone) {
      const ids = [...this.#records.copy().keys()];
      for (const index of this.#indexes) index.reorder?.(ids);
    }
    this.#isUndone = false;
  }
}

/** What follows the records of a table. */
interface Index<I, T> {
  /** Takes over changed records; undefined for a deleted one. */
  refile(changes: ReadonlyMap<I, T | undefined>): void;
  /** Orders its entries as the records are, if it has them in the order in which they entered it. */
  reorder?(ids: Iterable<I>): void;
}

/** Records by id, in the order in which they were added. A deleted one can leave its place free for a time. */
class RecordMap<I extends string, T extends object> implements RecordPlaces<I, T> {
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

  set(id: I, record: T): void {
    if (this.#freePlaces > 0 && this.#isFree(id)) this.#freePlaces -= 1;
    this.#records.set(id, record);
  }

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

  forget(id: I): void {
    if (this.#freePlaces === 0 || !this.#isFree(id)) return;
    this.#records.delete(id);
    this.#freePlaces -= 1;
  }

  values(): IterableIterator<T> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no place is ever free
    return this.#keepsPlaces ? this.#taken() : (this.#records.values() as IterableIterator<T>);
  }

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

/** Returns the records with these ids, in the order of the ids. Unknown ids are skipped. */
export function recordsOf<T>(ids: Iterable<string>, table: ReadonlyTable<T>): DeepReadonly<T>[] {
  const records: DeepReadonly<T>[] = [];
  for (const id of ids) {
    const record = table.get(id);
    if (record !== undefined) records.push(record);
  }
  return records;
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

interface Filed {
  readonly owner: string;
  readonly key: string;
}

/** From this number of changes of one list on, the list is sorted once instead of changed one by one. */
const BULK = 64;

class OrderedIndex<I extends string, T> implements OrderedIds<I> {
  readonly #refile: () => void;
  readonly #filing: Filing<T>;
  readonly #isDescending: boolean;
  readonly #filed = new Map<I, Filed>();
  readonly #lists = new Map<string, I[]>();

  constructor(refile: () => void, filing: Filing<T>, order: SortOrder) {
    this.#refile = refile;
    this.#filing = filing;
    this.#isDescending = order === 'descending';
  }

  of(owner: string): readonly I[] {
    this.#refile();
    return this.#lists.get(owner) ?? [];
  }

  refile(changes: ReadonlyMap<I, T | undefined>): void {
    const gone = new Map<string, I[]>();
    const come = new Map<string, [I, Filed][]>();
    for (const [id, record] of changes) {
      const before = this.#filed.get(id);
      const after = record === undefined ? undefined : this.#file(record);
      if (before?.owner === after?.owner && before?.key === after?.key) continue;
      if (before !== undefined) push(gone, before.owner, id);
      if (after !== undefined) push(come, after.owner, [id, after]);
    }
    for (const [owner, ids] of gone) this.#remove(owner, ids);
    for (const [owner, entries] of come) this.#insert(owner, entries);
  }

  toJSON(): Record<string, I[]> {
    this.#refile();
    return Object.fromEntries(this.#lists);
  }

  #file(record: T): Filed | undefined {
    const owner = this.#filing.owner(record);
    return owner === null ? undefined : { owner, key: this.#filing.key(record) };
  }

  #remove(owner: string, ids: readonly I[]): void {
    const list = this.#lists.get(owner) ?? [];
    if (ids.length < BULK) {
      for (const id of ids) list.splice(this.#placeOf(id, list), 1);
    } else {
      const gone = new Set(ids);
      this.#lists.set(
        owner,
        list.filter((id) => !gone.has(id)),
      );
    }
    for (const id of ids) this.#filed.delete(id);
    if (this.#lists.get(owner)?.length === 0) this.#lists.delete(owner);
  }

  #insert(owner: string, entries: readonly [I, Filed][]): void {
    const list = this.#lists.get(owner) ?? [];
    this.#lists.set(owner, list);
    for (const [id, filed] of entries) {
      this.#filed.set(id, filed);
      if (entries.length < BULK) list.splice(this.#placeOf(id, list), 0, id);
      else list.push(id);
    }
    if (entries.length >= BULK) list.sort((one, other) => this.#compare(one, other));
  }

  /** Returns the index of the first id that does not come before this one. */
  #placeOf(id: I, list: readonly I[]): number {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = list[middle];
      if (other !== undefined && this.#compare(other, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(one: I, other: I): number {
    const [first, second] = [this.#filed.get(one)?.key ?? '', this.#filed.get(other)?.key ?? ''];
    if (first !== second) return first < second === this.#isDescending ? 1 : -1;
    if (one === other) return 0;
    return one < other ? -1 : 1;
  }
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
