import { stat } from 'node:fs/promises';

import { FORMER_FORMATS, STATE_FORMAT } from '../state/state.ts';
import { batchLine, JOURNAL_LINE, journalLine } from './journal-file.ts';
import { checkLine, damaged, readLines, readPart } from './lines.ts';
import type { Line } from './lines.ts';
import { applyLine, UnreadLines } from './record-line.ts';
import type { StateReader } from './stored-record.ts';

/** What a journal contains. */
export interface JournalReading {
  /** The end of the last whole batch in bytes; 0 when not even the first line is whole. */
  readonly bytes: number;
  /** Whether the cut-off rest may contain a batch that was acknowledged. */
  readonly mayLackBatch: boolean;
}

/** A batch of which lines are still to come. */
interface OpenBatch {
  readonly offset: number;
  readonly end: number;
  readonly count: number;
  readonly lines: Line[];
}

/**
 * Applies the batches of a journal to a state. A batch that a kill or a power cut left unfinished at the end
 * is left out. It is not whole in length, or lacks pages, which are zeros then.
 *
 * @throws {StoreError} `store_corrupt` for every other damage
 */
export async function readJournal(path: string, reader: StateReader): Promise<JournalReading> {
  const { size } = await stat(path);
  let bytes = 0;
  let open: OpenBatch | null = null;
  const unread = new UnreadLines(path, reader.values);
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      if (line.offset === 0) {
        if (isTornStart(line, size)) return { bytes: 0, mayLackBatch: false };
        reader.format = readFormat(path, line);
        bytes = JOURNAL_LINE.length;
        continue;
      }
      if (open === null) {
        const batch = readBatchLine(line);
        if (batch === null && isTornBatchLine(line)) return { bytes, mayLackBatch: hasZeros(line) };
        if (batch === null) throw damaged(path, line.offset, 'the first line of a batch is wrong');
        if (batch.end > size) return { bytes, mayLackBatch: false };
        open = batch;
        continue;
      }
      open.lines.push(line);
      const end = line.offset + line.bytes.length + (line.isWhole ? 1 : 0);
      if (open.lines.length < open.count && end < open.end) continue;
      if (open.end === size && open.lines.some(hasZeros)) return { bytes, mayLackBatch: true };
      applyBatch(open, end, reader, unread);
      bytes = open.end;
      open = null;
    }
  }
  if (open !== null) throw damaged(path, open.offset, 'a batch is shorter than it says');
  return { bytes, mayLackBatch: false };
}

function applyBatch(
  { offset, end, count, lines }: OpenBatch,
  endOfLines: number,
  reader: StateReader,
  unread: UnreadLines,
): void {
  const { path } = unread;
  for (const line of lines) checkLine(path, line);
  if (endOfLines !== end || lines.length !== count) {
    throw damaged(path, offset, 'a batch is longer or shorter than it says');
  }
  for (const line of lines) applyLine(line, readPart(path, line, 0), reader, unread);
}

const BATCH = /^batch (\d+) (\d+) [0-9a-f]{8}$/;

function readBatchLine({ offset, bytes, isWhole }: Line): OpenBatch | null {
  const text = bytes.toString('latin1');
  const [, count = '', length = ''] = (isWhole ? BATCH.exec(text) : null) ?? [];
  if (batchLine(Number(count), Number(length)) !== `${text}\n`) return null;
  const end = offset + bytes.length + 1 + Number(length);
  return { offset, end, count: Number(count), lines: [] };
}

const MAX_BATCH_LINE = 60;

function isTornBatchLine(line: Line): boolean {
  return hasZeros(line) || (!line.isWhole && line.bytes.length < MAX_BATCH_LINE);
}

function isTornStart({ bytes, isWhole }: Line, size: number): boolean {
  if (size <= JOURNAL_LINE.length && bytes.includes(0)) return true;
  const text = bytes.toString('latin1');
  return !isWhole && FORMATS.some((format) => journalLine(format).startsWith(text));
}

const FORMATS = [STATE_FORMAT, ...FORMER_FORMATS];

function readFormat(path: string, { bytes }: Line): number {
  const line = `${bytes.toString('latin1')}\n`;
  const format = FORMATS.find((one) => journalLine(one) === line);
  if (format === undefined) throw damaged(path, 0, 'the first line of the journal is wrong');
  return format;
}

/** JSON has no zero bytes, so a zero is a page that was never written. */
function hasZeros({ bytes }: Line): boolean {
  return bytes.includes(0);
}
