import { keepLargeValues, restoreLargeValues } from '../state/kept-places.ts';
import { readReference } from '../state/large-value.ts';
import type { LargeReference, LargeValueSource } from '../state/large-value.ts';
import { findMisfit } from '../state/shapes.ts';
import { emptyState, STATE_FORMAT, tablesOf } from '../state/state.ts';
import type { StoredState, Tables } from '../state/state.ts';
import type { StoredTable } from '../state/change-tracker.ts';
import { UnreadRecord } from '../state/unread-record.ts';
import type { LineReader } from '../state/unread-record.ts';
import { applyEdits } from './apply-edits.ts';
import type { Line } from './lines.ts';

/** The values of a state beside its tables. */
export type Singles = Pick<StoredState, 'ids' | 'controlToken' | 'defaultWorldId'>;

/** Records of former formats have all values in them. */
const FORMAT_OF_LARGE_VALUES = 6;

/** The name of the singles in a file, where a record has the name of its table. */
export const SINGLES = 'singles';

/** Builds a state from what files contain. Each method returns what is wrong with its input, or null. */
export class StateReader {
  readonly state: StoredState = emptyState(0, '');
  readonly #tables: ReadonlyMap<string, StoredTable> = new Map(
    Object.entries(tablesOf(this.state)),
  );
  /** Where large values are read. */
  readonly values: LargeValueSource;
  /** The format of the records that follow. */
  format: number = STATE_FORMAT;

  constructor(values: LargeValueSource) {
    this.values = values;
  }

  /**
   * Applies a change: `[table, record]`, `[table, id, edits]`, `[table, id]` for a deleted record, or
   * `['singles', values]`.
   */
  apply(change: unknown): string | null {
    if (!Array.isArray(change) || change.length < 2 || change.length > 3) return 'it is no change';
    const [name, value, edits]: unknown[] = change;
    if (name === SINGLES) return this.singles(value);
    if (typeof name !== 'string') return 'it names no table';
    return edits === undefined ? this.record(name, value) : this.#edit(name, value, edits);
  }

  #edit(name: string, id: unknown, edits: unknown): string | null {
    const record = this.#tables.get(name)?.get(String(id));
    if (record === undefined) return `there is no record ${String(id)} of ${name} to edit`;
    return applyEdits(record, edits) ?? this.record(name, record);
  }

  record(name: string, value: unknown): string | null {
    const table = this.#tables.get(name);
    if (table === undefined || !isTableName(name)) return `there is no table ${name}`;
    if (typeof value === 'string') {
      table.unload(value);
      return null;
    }
    const misfit = findMisfit(name, value);
    if (misfit !== null) return misfit;
    const record: object = Object(value);
    try {
      if (this.format < FORMAT_OF_LARGE_VALUES) keepLargeValues(name, record);
      else restoreLargeValues(name, record, this.values);
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
    table.load(record);
    return null;
  }

  /** Applies `[table, id, large values]`. The record stays in its line until it is used. */
  unread(change: unknown, line: Line, lines: LineReader): string | null {
    if (this.format !== STATE_FORMAT) return `format ${this.format} has no facts`;
    if (!Array.isArray(change) || change.length !== 3) return 'it is no change';
    const [name, id, large]: unknown[] = change;
    const table = typeof name === 'string' ? this.#tables.get(name) : undefined;
    if (table === undefined) return 'it names no table';
    if (typeof id !== 'string') return 'id must be text';
    const references = readReferences(large);
    if (references === null) return 'the large values must be a list of references';
    table.load(new UnreadRecord({ id, large: references }, line, lines));
    return null;
  }

  singles(value: unknown): string | null {
    if (typeof value !== 'object' || value === null) return 'the singles must be an object';
    const { ids, controlToken, defaultWorldId }: Partial<Singles> = value;
    if (typeof ids?.seed !== 'number' || typeof ids.drawn !== 'number') {
      return 'ids must have the numbers seed and drawn';
    }
    if (typeof controlToken !== 'string') return 'controlToken must be text';
    if (defaultWorldId === undefined) return 'defaultWorldId must be text or null';
    Object.assign(this.state, { ids, controlToken, defaultWorldId });
    return null;
  }

  /** Checks what can be checked only at the end. */
  finish(): string | null {
    const { defaultWorldId, worlds } = this.state;
    if (defaultWorldId === null || worlds.has(defaultWorldId)) return null;
    return `the default world ${String(defaultWorldId)} is unknown`;
  }
}

/** Most records have no large values, so they share this list. */
const NONE: readonly LargeReference[] = [];

function readReferences(large: unknown): readonly LargeReference[] | null {
  if (!Array.isArray(large)) return null;
  if (large.length === 0) return NONE;
  try {
    const references = large.map(readReference);
    return references.every((one) => one !== null) ? references : null;
  } catch {
    return null;
  }
}

const TABLE_NAMES: ReadonlySet<unknown> = new Set(Object.keys(tablesOf(emptyState(0, ''))));

export function isTableName(name: unknown): name is keyof Tables {
  return TABLE_NAMES.has(name);
}
