import type { StoredState, Tables } from './state.ts';
import { StoreError } from './store.ts';

/** The size that the data file may have: it bounds the cost of a write. */
export const MAX_FILE_BYTES = 134_217_728;

/** What records may grow by in a commit that adds none: a change has a time, and a name may become longer. */
const SMALL_GROWTH_BYTES = 1_024;
/** What such commits may add to the maximum size together. */
const RESERVE_BYTES = 1_048_576;

/**
 * Makes a change, and rolls it back if it adds to a data file of the maximum size: a record, or more than 1 KiB to
 * others. In memory there is no bound.
 *
 * @throws {StoreError} `store_full`
 */
export function withinBound<T>(state: StoredState, change: () => T): T {
  if (state.fileBytes === 0) return change();
  const undo = new Undo(state);
  state.undo = undo;
  let result: T;
  try {
    result = change();
  } finally {
    state.undo = null;
  }
  const { records, bytes } = undo.growth();
  const size = state.fileBytes + bytes;
  const isSmall = records <= 0 && bytes <= SMALL_GROWTH_BYTES;
  const maximum = MAX_FILE_BYTES + (isSmall ? RESERVE_BYTES : 0);
  if (size < maximum || bytes <= 0) return result;
  undo.rollBack();
  throw new StoreError(
    'store_full',
    `The data file must have less than ${MAX_FILE_BYTES} bytes, got ${size}. Delete worlds, files or dataset examples, or start the server with a smaller historyLimit.`,
  );
}

interface Before {
  readonly table: keyof Tables;
  readonly id: string;
  /** Undefined for a record that the commit adds. */
  readonly json: string | undefined;
}

/** The records that a commit changes, as they were before it. */
export class Undo {
  readonly #state: StoredState;
  readonly #before = new Map<string, Before>();

  constructor(state: StoredState) {
    this.#state = state;
  }

  /** Call it before a record is changed. */
  note(table: keyof Tables, id: string): void {
    const key = `${table} ${id}`;
    if (this.#before.has(key)) return;
    this.#before.set(key, { table, id, json: this.#state.tables[table].jsonOf(id) });
  }

  /** What the commit has added so far: records, and bytes of their JSON. */
  growth(): { readonly records: number; readonly bytes: number } {
    let records = 0;
    let bytes = 0;
    for (const { table, id, json } of this.#before.values()) {
      const now = this.#state.tables[table].jsonOf(id);
      records += Number(now !== undefined) - Number(json !== undefined);
      bytes += Buffer.byteLength(now ?? '') - Buffer.byteLength(json ?? '');
    }
    return { records, bytes };
  }

  rollBack(): void {
    for (const { table, id, json } of this.#before.values()) {
      this.#state.tables[table].restore(id, json);
    }
  }
}
