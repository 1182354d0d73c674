import { ChangeTracker } from './change-tracker.ts';
import type { Changes, RecordPlaces, StoredTable } from './change-tracker.ts';
import type { RecordSize } from './facts.ts';
import { GroupIndex } from './group-index.ts';
import type { Groups } from './group-index.ts';
import { HistoryIndex } from './history-index.ts';
import type { History } from './history-index.ts';
import { NameIndex } from './name-index.ts';
import type { Names } from './name-index.ts';
import type { DeepReadonly } from './read-only.ts';
import type { Filing, Index, OrderedIds, ReadonlyTable, SortOrder, Table } from './table-types.ts';
import { UnreadRecord } from './unread-record.ts';

export type { OrderedIds, ReadonlyTable, Table };

/**
 * A table with its indexes. It collects the ids of changed records until they are taken. The indexes are made
 * from the facts of records, which for most tables are the records themselves.
 */
export class RecordTable<I extends string, T extends object, F extends object = T>
  implements Table<I, T>, StoredTable
{
  readonly #records = new RecordMap<I, T>();
  readonly #idOf: (record: T) => I;
  readonly #factsOf: ((record: T) => F) | null;
  readonly #indexes: Index<I, F>[] = [];
  /** Changed since the indexes were read. */
  readonly #unfiled = new Set<I>();
  /** Whether any record may have changed since then. */
  #isUnfiled = false;
  /** Whether changes were taken back since then. */
  #isUndone = false;
  #tracker: ChangeTracker<I, T> | null = null;

  /** @param factsOf - null if the facts of a record are the record */
  constructor(idOf: (record: T) => I, factsOf: ((record: T) => F) | null) {
    this.#idOf = idOf;
    this.#factsOf = factsOf;
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): DeepReadonly<T> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every type is assignable to its readonly form, but not provably for a type parameter
    return this.#records.get(id) as DeepReadonly<T> | undefined;
  }

  has(id: string): boolean {
    return this.#records.has(id);
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
    if (!this.#records.has(id)) return;
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

  *stored(): IterableIterator<object> {
    for (const [, stored] of this.#records.entries()) if (stored !== undefined) yield stored;
  }

  factsBeside(record: object): object | null {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller has it from this table
    return this.#factsOf?.(record as T) ?? null;
  }

  load(record: object): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller has checked the record
    const checked = record as T | (UnreadRecord & { readonly id: I });
    const id = checked instanceof UnreadRecord ? checked.id : this.#idOf(checked);
    this.#records.set(id, checked);
    this.#isUnfiled = true;
  }

  unload(id: string): void {
    if (!this.#records.has(id)) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a record has it
    const known = id as I;
    this.#unfiled.add(known);
    this.#records.delete(known);
  }

  track(): Changes {
    this.#tracker = new ChangeTracker<I, T>(this.#records, (ids) => {
      for (const id of ids) this.#unfiled.add(id);
      this.#isUndone = true;
    });
    return this.#tracker;
  }

  /** Adds an index: ids per owner, ordered by a key and then by id. */
  ordered(filing: Filing<F>, order: SortOrder): OrderedIds<I> {
    return this.#index(new OrderedIndex<I, F>(() => this.#refile(), filing, order));
  }

  /** Adds an index: ids per group, in the order in which they entered it. Null is no group. */
  grouped(groupOf: (facts: F) => string | null): Groups<I> {
    return this.#index(new GroupIndex<I, F>(() => this.#refile(), groupOf));
  }

  /** Adds an index: the records for which `isPast` holds, with their sizes. */
  history(isPast: (facts: F) => boolean, sizeOf: (facts: F) => RecordSize): History<I> {
    return this.#index(new HistoryIndex<I, F>(() => this.#refile(), isPast, sizeOf));
  }

  /** Adds an index: the names that the records refer to. */
  naming(namesOf: (facts: F) => readonly string[]): Names {
    return this.#index(new NameIndex<I, F>(() => this.#refile(), namesOf));
  }

  toJSON(): Record<string, T> {
    return Object.fromEntries([...this.#records.values()].map((one) => [this.#idOf(one), one]));
  }

  /** Call it before a change. */
  #mark(id: I): void {
    this.#unfiled.add(id);
    this.#tracker?.changes(id);
  }

  #index<Added extends Index<I, F>>(index: Added): Added {
    this.#indexes.push(index);
    return index;
  }

  /** Files changed records when an index is read, because an edited record changes after the call. */
  #refile(): void {
    if (this.#isUnfiled) {
      this.#isUnfiled = false;
      for (const [id, entry] of this.#records.entries()) this.#file(id, entry);
      this.#settle();
    }
    if (this.#unfiled.size === 0) return;
    for (const id of this.#unfiled) this.#file(id, this.#records.get(id));
    this.#unfiled.clear();
    this.#settle();
    if (!this.#isUndone) return;
    this.#isUndone = false;
    const ids = this.#records.ids();
    for (const index of this.#indexes) index.reorder?.(ids);
  }

  #file(id: I, entry: T | UnreadRecord | undefined): void {
    const facts = entry === undefined ? undefined : this.#facts(entry);
    for (const index of this.#indexes) index.refile(id, facts);
  }

  #settle(): void {
    for (const index of this.#indexes) index.settle?.();
  }

  #facts(entry: T | UnreadRecord): F {
    if (!(entry instanceof UnreadRecord)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a function, facts are records
      return this.#factsOf === null ? (entry as object as F) : this.#factsOf(entry);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its line has the facts of this table
    return entry.facts() as F;
  }
}

/**
 * Records by id, in the order in which they were added. A deleted one can leave its place free for a time. A stored
 * one is read at its first use.
 */
class RecordMap<I extends string, T extends object> implements RecordPlaces<I, T> {
  /** Undefined in a free place. */
  readonly #records = new Map<I, T | UnreadRecord | undefined>();
  /** To find a record by any text. */
  readonly #byText: ReadonlyMap<string, T | UnreadRecord | undefined> = this.#records;
  #freePlaces = 0;
  #keepsPlaces = false;

  get size(): number {
    return this.#records.size - this.#freePlaces;
  }

  has(id: string): boolean {
    return this.#byText.get(id) !== undefined;
  }

  get(id: string): T | undefined {
    const record = this.#byText.get(id);
    return record instanceof UnreadRecord ? this.#read(record) : record;
  }

  set(id: I, record: T | UnreadRecord): void {
    if (this.#freePlaces > 0 && this.#isFree(id)) this.#freePlaces -= 1;
    this.#records.set(id, record);
  }

  delete(id: I): void {
    if (!this.has(id)) return;
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

  /** A loop may delete what comes later, so each place is looked at when it is reached. */
  *values(): IterableIterator<T> {
    for (const record of this.#records.values()) {
      if (record !== undefined) yield record instanceof UnreadRecord ? this.#read(record) : record;
    }
  }

  entries(): IterableIterator<[I, T | UnreadRecord | undefined]> {
    return this.#records.entries();
  }

  ids(): I[] {
    return [...this.#records.keys()].filter((id) => this.has(id));
  }

  #isFree(id: I): boolean {
    return this.#records.has(id) && this.#records.get(id) === undefined;
  }

  /** The object takes the place of the line, because a commit may change it. */
  #read(unread: UnreadRecord): T {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file has it in the place of this id and kind
    const [id, record] = [unread.id as I, unread.read() as T];
    this.#records.set(id, record);
    return record;
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

/** Where an id is. */
interface Filed<I extends string> {
  readonly id: I;
  owner: string;
  readonly key: string;
}

/** From this number of changes of one list on, the list is sorted once instead of changed one by one. */
const BULK = 64;

export class OrderedIndex<I extends string, T> implements OrderedIds<I> {
  readonly #refile: () => void;
  readonly #filing: Filing<T>;
  readonly #isDescending: boolean;
  readonly #filed = new Map<I, Filed<I>>();
  readonly #lists = new Map<string, I[]>();
  /** The owners whose list got many ids at its end. It is sorted once, when it is used. */
  readonly #unsorted = new Set<string>();
  /** The changes per list until they are settled. */
  readonly #gone = new Map<string, I[]>();
  readonly #come = new Map<string, Filed<I>[]>();

  constructor(refile: () => void, filing: Filing<T>, order: SortOrder) {
    this.#refile = refile;
    this.#filing = filing;
    this.#isDescending = order === 'descending';
  }

  of(owner: string): readonly I[] {
    this.#refile();
    return this.#sorted(owner);
  }

  refile(id: I, record: T | undefined): void {
    const before = this.#filed.get(id);
    const after = record === undefined ? undefined : this.#file(id, record);
    if (before?.owner === after?.owner && before?.key === after?.key) return;
    if (before !== undefined) push(this.#gone, before.owner, id);
    if (after !== undefined) push(this.#come, after.owner, after);
  }

  settle(): void {
    for (const [owner, ids] of this.#gone) this.#remove(owner, ids);
    for (const [owner, entries] of this.#come) this.#insert(owner, entries);
    this.#gone.clear();
    this.#come.clear();
  }

  toJSON(): Record<string, I[]> {
    this.#refile();
    return Object.fromEntries([...this.#lists.keys()].map((owner) => [owner, this.#sorted(owner)]));
  }

  #file(id: I, record: T): Filed<I> | undefined {
    const owner = this.#filing.owner(record);
    return owner === null ? undefined : { id, owner, key: this.#filing.key(record) };
  }

  #remove(owner: string, ids: readonly I[]): void {
    if (ids.length < BULK) {
      const list = this.#sorted(owner);
      for (const id of ids) list.splice(this.#placeOf(id, list), 1);
    } else {
      const gone = new Set(ids);
      const left = this.#lists.get(owner)?.filter((id) => !gone.has(id)) ?? [];
      this.#lists.set(owner, left);
    }
    for (const id of ids) this.#filed.delete(id);
    if (this.#lists.get(owner)?.length === 0) this.#lists.delete(owner);
  }

  #insert(owner: string, entries: readonly Filed<I>[]): void {
    const isBulk = entries.length >= BULK;
    const list = isBulk ? (this.#lists.get(owner) ?? []) : this.#sorted(owner);
    this.#lists.set(owner, list);
    for (const entry of entries) {
      // Texts that are equal but not the same would take memory for each id.
      entry.owner = owner;
      this.#filed.set(entry.id, entry);
      if (isBulk) list.push(entry.id);
      else list.splice(this.#placeOf(entry.id, list), 0, entry.id);
    }
    if (isBulk) this.#unsorted.add(owner);
  }

  #sorted(owner: string): I[] {
    const list = this.#lists.get(owner) ?? [];
    if (!this.#unsorted.delete(owner)) return list;
    const entries = list.map((id) => this.#entryOf(id));
    entries.sort((one, other) => this.#compare(one, other));
    for (const [place, { id }] of entries.entries()) list[place] = id;
    return list;
  }

  /** Returns the index of the first id that does not come before this one. */
  #placeOf(id: I, list: readonly I[]): number {
    const entry = this.#entryOf(id);
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = list[middle];
      if (other !== undefined && this.#compare(this.#entryOf(other), entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #entryOf(id: I): Filed<I> {
    return this.#filed.get(id) ?? { id, owner: '', key: '' };
  }

  #compare(one: Filed<I>, other: Filed<I>): number {
    if (one.key !== other.key) return one.key < other.key === this.#isDescending ? 1 : -1;
    if (one.id === other.id) return 0;
    return one.id < other.id ? -1 : 1;
  }
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
