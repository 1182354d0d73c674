import { largeValuesOf } from '../state/kept-places.ts';
import type { LargeValue } from '../state/large-value.ts';
import { tablesOf } from '../state/state.ts';
import type { StoredState } from '../state/state.ts';
import type { Changes } from '../state/change-tracker.ts';
import type { StoredTable } from '../state/table.ts';
import { SINGLES } from './stored-record.ts';
import type { Singles } from './stored-record.ts';
import { editsOf } from './record-edits.ts';

/** A state of one moment, also while commits go on. Release it after reading. */
export interface FrozenState {
  readonly singles: Singles;
  /** Each as `[table, record]`. */
  records(): Iterable<readonly [string, object]>;
  release(): void;
}

/** The large values that records refer to from a batch on, and those that they referred to before. */
export interface ValueChange {
  readonly added: readonly LargeValue[];
  readonly dropped: readonly LargeValue[];
}

/** Changes to store: lines for the journal, and the large values that these name. */
export interface TakenChanges extends ValueChange {
  readonly lines: readonly string[];
}

interface Tracked {
  readonly name: string;
  readonly table: StoredTable;
  readonly changes: Changes;
}

/** Knows what changed in a state since it was last stored, and can undo it. */
export class ChangeLog {
  readonly #state: StoredState;
  readonly #tables: readonly Tracked[];
  #stored: Singles;
  #taken: Singles;

  constructor(state: StoredState) {
    this.#state = state;
    this.#tables = Object.entries(tablesOf(state)).map(([name, table]) => ({
      name,
      table,
      changes: table.track(),
    }));
    this.#stored = singlesOf(state);
    this.#taken = this.#stored;
  }

  /** Returns all changes since the last call as JSON, the singles first. */
  take(): TakenChanges {
    this.#taken = singlesOf(this.#state);
    const lines = [JSON.stringify([SINGLES, this.#taken])];
    const added: LargeValue[] = [];
    const dropped: LargeValue[] = [];
    for (const { name, table, changes: tracked } of this.#tables) {
      for (const [id, before] of tracked.take()) {
        const record = table.get(id);
        lines.push(JSON.stringify(changeOf(name, id, before, record)));
        added.push(...largeValuesOf(name, record));
        dropped.push(...largeValuesOf(name, before));
      }
    }
    return { lines, added, dropped };
  }

  /** The changes that were taken are stored. */
  settle(): void {
    this.#stored = this.#taken;
    for (const { changes } of this.#tables) changes.settle();
  }

  /** Takes back everything that is not stored, so that memory equals the disk. */
  undo(): void {
    const { ids, ...others } = this.#stored;
    Object.assign(this.#state, others);
    Object.assign(this.#state.ids, ids);
    for (const { changes } of this.#tables) changes.undo();
  }

  freeze(): FrozenState {
    const tables = this.#tables.map(({ name, changes }) => [name, changes.freeze()] as const);
    return {
      singles: singlesOf(this.#state),
      *records() {
        for (const [name, records] of tables) {
          for (const record of records.values()) yield [name, record] as const;
        }
      },
      release() {
        for (const [, records] of tables) records.release();
      },
    };
  }
}

/** A record that was there before costs what changed in it. */
function changeOf(
  table: string,
  id: string,
  before: object | undefined,
  record: object | undefined,
): readonly unknown[] {
  if (record === undefined) return [table, id];
  const edits = before === undefined ? null : editsOf(before, record);
  return edits === null ? [table, record] : [table, id, edits];
}

function singlesOf({ ids, controlToken, defaultWorldId }: StoredState): Singles {
  return { ids: { ...ids }, controlToken, defaultWorldId };
}

/** Returns a state that nothing else changes as a frozen one. */
export function unchanging(state: StoredState): FrozenState {
  return {
    singles: singlesOf(state),
    *records() {
      for (const [name, table] of Object.entries(tablesOf(state))) {
        for (const record of table.values()) yield [name, record] as const;
      }
    },
    release() {},
  };
}
