import { LargeValue } from './large-value.ts';

/** A table as the store sees it, whatever its records are. */
export interface StoredTable {
  readonly size: number;
  get(id: string): object | undefined;
  /** The records. Unused ones are still lines of a file. */
  stored(): IterableIterator<object>;
  /** Returns what a line has beside a record, or null for a table whose records are all read at the start. */
  factsBeside(record: object): object | null;
  /** Adds a record that was stored and checked. It does not count as changed. */
  load(record: object): void;
  /** Removes a record that was stored as deleted. */
  unload(id: string): void;
  /** From now on, keeps what {@link Changes} needs. Without this call, a change costs nothing more. */
  track(): Changes;
}

/** What changed in a table since it was last stored. */
export interface Changes {
  /**
   * Returns the ids of the records that changed since the last call, each with a copy from before; undefined
   * for an added one. The store then begins to store them.
   */
  take(): Iterable<readonly [string, object | undefined]>;
  /** The changes that were taken are stored. */
  settle(): void;
  /** Takes back every change since the last {@link settle}: those that were taken, and later ones. */
  undo(): void;
  /** Returns all records as they are now, also while later commits change them. */
  freeze(): FrozenRecords;
}

/** The records of one moment. Release them after reading. */
export interface FrozenRecords {
  /** Unused ones are still lines of a file. */
  values(): Iterable<object>;
  release(): void;
}

/** Records by id in their places. The place of a deleted one can stay free for a time. */
export interface RecordPlaces<I extends string, T extends object> {
  get(id: string): T | undefined;
  has(id: string): boolean;
  /** Adds a record at the end, or puts it in the place of the record with its id, which may be free. */
  set(id: I, record: T): void;
  /** Deletes a record. After {@link keepPlaces}, its place stays free until {@link forget}. */
  delete(id: I): void;
  keepPlaces(): void;
  /** Gives up a free place. Does nothing if a record has it. */
  forget(id: I): void;
  /** An unused record is still a line of a file. Undefined in a free place. */
  entries(): IterableIterator<[I, object | undefined]>;
}

/** Keeps a copy of each record from before its first change, so that the change can be undone. */
export class ChangeTracker<I extends string, T extends object> implements Changes {
  readonly #records: RecordPlaces<I, T>;
  readonly #undone: (ids: Iterable<I>) => void;
  /** The records before the changes that are not taken; undefined for an added one. */
  #untaken = new Map<I, T | undefined>();
  /** The same for changes that were taken and are not stored. */
  #taken: ReadonlyMap<I, T | undefined> = new Map();
  #frozen: Map<I, T | undefined> | null = null;

  /** @param undone - called with the ids of the records whose changes were taken back */
  constructor(records: RecordPlaces<I, T>, undone: (ids: Iterable<I>) => void) {
    this.#records = records;
    this.#undone = undone;
    records.keepPlaces();
  }

  /** Call it before each change of a record. */
  changes(id: I): void {
    const isFirst = !this.#untaken.has(id);
    const isFrozen = this.#frozen === null || this.#frozen.has(id);
    if (!isFirst && isFrozen) return;
    const record = this.#records.get(id);
    const before = record === undefined ? undefined : copyOf(record);
    if (isFirst) this.#untaken.set(id, before);
    if (!isFrozen) this.#frozen?.set(id, before);
  }

  take(): Iterable<readonly [I, T | undefined]> {
    this.#taken = this.#untaken;
    this.#untaken = new Map();
    return this.#taken;
  }

  settle(): void {
    for (const id of this.#taken.keys()) if (!this.#untaken.has(id)) this.#records.forget(id);
    this.#taken = new Map();
  }

  undo(): void {
    for (const before of [this.#untaken, this.#taken]) {
      for (const [id, record] of before) this.#restore(id, record);
      if (before.size > 0) this.#undone(before.keys());
    }
    this.#untaken = new Map();
    this.#taken = new Map();
  }

  freeze(): FrozenRecords {
    const changed = new Map<I, T | undefined>();
    const records = this.#records;
    this.#frozen = changed;
    return {
      *values() {
        const seen = new Set<I>();
        for (const [id, record] of records.entries()) {
          const before = changed.has(id) ? changed.get(id) : record;
          if (changed.has(id)) seen.add(id);
          if (before !== undefined) yield before;
        }
        for (const [id, before] of changed) {
          if (before !== undefined && !seen.has(id) && !records.has(id)) yield before;
        }
      },
      release: () => {
        if (this.#frozen === changed) this.#frozen = null;
      },
    };
  }

  /** Others may hold the record, so it gets its members back and stays the same object. */
  #restore(id: I, before: T | undefined): void {
    const record = this.#records.get(id);
    if (before === undefined) {
      this.#records.delete(id);
      this.#records.forget(id);
    } else if (record === undefined) this.#records.set(id, before);
    else {
      for (const name of Object.keys(record)) Reflect.deleteProperty(record, name);
      Object.assign(record, before);
    }
  }
}

/** Copies a record, which is plain JSON. `structuredClone` takes several times as long. */
function copyOf<Value>(value: Value): Value;
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof LargeValue) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__')
      Object.defineProperty(copy, name, {
        value: copyOf(inner),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[name] = copyOf(inner);
  }
  return copy;
}
