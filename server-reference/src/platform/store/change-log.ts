import { largeValuesOf } from '../state/kept-places.ts';
import type { LargeValue } from '../state/large-value.ts';
import { tablesOf } from '../state/state.ts';
import type { StoredState } from '../state/state.ts';
import type { Changes, StoredTable } from '../state/change-tracker.ts';
import { UnreadRecord } from '../state/unread-record.ts';
import { checkedLine } from './lines.ts';
import { recordText } from './record-line.ts';
import { SINGLES } from './stored-record.ts';
import type { Singles } from './stored-record.ts';
import { editsOf } from './record-edits.ts';

/** A state of one moment, also while commits go on. Release it after reading. */
export interface FrozenState {
  readonly singles: Singles;
  /** Its records as lines with their ends. An unused record is copied from its file. */
  lines(): Iterable<string>;
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
        lines.push(textOf({ name, table }, id, before, record));
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
    const tables = this.#tables.map((one) => ({ ...one, frozen: one.changes.freeze() }));
    return {
      singles: singlesOf(this.#state),
      *lines() {
        for (const { name, table, frozen } of tables) yield* linesOf(name, table, frozen.values());
      },
      release() {
        for (const { frozen } of tables) frozen.release();
      },
    };
  }
}

/** A record that was there before costs what changed in it. */
function textOf(
  { name, table }: Pick<Tracked, 'name' | 'table'>,
  id: string,
  before: object | undefined,
  record: object | undefined,
): string {
  if (record === undefined) return JSON.stringify([name, id]);
  const edits = before === undefined ? null : editsOf(before, record);
  return edits === null ? recordText(name, table, record) : JSON.stringify([name, id, edits]);
}

function singlesOf({ ids, controlToken, defaultWorldId }: StoredState): Singles {
  return { ids: { ...ids }, controlToken, defaultWorldId };
}

/** Returns a state that nothing else changes as a frozen one. */
export function unchanging(state: StoredState): FrozenState {
  return {
    singles: singlesOf(state),
    *lines() {
      for (const [name, table] of Object.entries(tablesOf(state))) {
        yield* linesOf(name, table, table.stored());
      }
    },
    release() {},
  };
}

function* linesOf(name: string, table: StoredTable, records: Iterable<object>): Iterable<string> {
  for (const record of records) {
    if (record instanceof UnreadRecord) yield `${record.bytes.toString()}\n`;
    else yield checkedLine(recordText(name, table, record));
  }
}
