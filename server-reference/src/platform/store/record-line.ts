import { largeValuesOf, restoreLargeValues } from '../state/kept-places.ts';
import type { LargeValueSource } from '../state/large-value.ts';
import { findMisfit } from '../state/shapes.ts';
import type { StoredTable } from '../state/change-tracker.ts';
import type { LineReader, UnreadRecord } from '../state/unread-record.ts';
import { damaged, hasParts, readPart, SEPARATOR } from './lines.ts';
import type { Line } from './lines.ts';
import { isTableName } from './stored-record.ts';
import type { StateReader } from './stored-record.ts';

/**
 * Returns a record as the text of a line: `[table, record]`. If its table has facts, the line has three parts:
 * `[table, id, large values]`, the facts, and the record, which is read when it is used.
 */
export function recordText(name: string, table: StoredTable, record: object): string {
  const facts = table.factsBeside(record);
  if (facts === null) return JSON.stringify([name, record]);
  const id: unknown = Reflect.get(record, 'id');
  const parts = [[name, id, largeValuesOf(name, record)], facts, record];
  return parts.map((part) => JSON.stringify(part)).join(SEPARATOR);
}

/** Reads lines of a file that stayed lines at the start. */
export class UnreadLines implements LineReader {
  readonly path: string;
  readonly #values: LargeValueSource;

  /** @param path - of the file, for errors */
  constructor(path: string, values: LargeValueSource) {
    this.path = path;
    this.#values = values;
  }

  facts(unread: UnreadRecord): object {
    const facts = readPart(this.path, unread, 1);
    if (typeof facts === 'object' && facts !== null) return facts;
    throw this.#damaged(unread, 'the facts must be an object');
  }

  /** The checksum shows that a server wrote the line as it is. A line from elsewhere is refused here. */
  record(unread: UnreadRecord): object {
    const [name]: unknown[] = Object(readPart(this.path, unread, 0));
    const record = readPart(this.path, unread, 2);
    const misfit = isTableName(name) ? findMisfit(name, record) : 'there is no such table';
    if (misfit !== null) throw this.#damaged(unread, misfit);
    const known: object = Object(record);
    restoreLargeValues(String(name), known, this.#values);
    return known;
  }

  #damaged({ id, offset }: UnreadRecord, misfit: string): Error {
    return damaged(this.path, offset, `${misfit} in record ${id}`);
  }
}

/**
 * Applies a checked line to a state.
 *
 * @param change - its first part
 * @throws {StoreError} `store_corrupt`
 */
export function applyLine(
  line: Line,
  change: unknown,
  reader: StateReader,
  lines: UnreadLines,
): void {
  const misfit = hasParts(line) ? reader.unread(change, line, lines) : reader.apply(change);
  if (misfit === null) return;
  const beginning = line.bytes.toString('utf8', 9, 80);
  throw damaged(lines.path, line.offset, `${misfit} in ${beginning}`);
}
