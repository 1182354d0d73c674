import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { FORMER_FORMATS, STATE_FORMAT } from '../state/state.ts';
import type { FrozenState } from './change-log.ts';
import { checkedLine, checkLine, damaged, readLines, readPart } from './lines.ts';
import { applyLine, UnreadLines } from './record-line.ts';
import { SINGLES } from './stored-record.ts';
import type { StateReader } from './stored-record.ts';
import { StoreError } from './store.ts';

const PIECE_CHARACTERS = 262_144;

/**
 * Writes all records of a frozen state, one on a line, between a first and a last line. Commits go on between
 * the pieces. The file is synced.
 *
 * @param isCancelled - asked between the pieces
 * @returns its size in bytes; null if it was cancelled
 */
export async function writeSnapshot(
  path: string,
  frozen: FrozenState,
  isCancelled: () => boolean,
): Promise<number | null> {
  const handle = await open(path, 'w', 0o600);
  try {
    let bytes = 0;
    let count = 0;
    let piece = checkedLine(JSON.stringify(['snapshot', STATE_FORMAT]));
    piece += checkedLine(JSON.stringify([SINGLES, frozen.singles]));
    for (const line of frozen.lines()) {
      piece += line;
      count += 1;
      if (piece.length < PIECE_CHARACTERS) continue;
      if (isCancelled()) return null;
      bytes += await append(handle, piece);
      piece = '';
    }
    bytes += await append(handle, piece + checkedLine(JSON.stringify(['end', count])));
    await handle.datasync();
    return bytes;
  } finally {
    await handle.close();
  }
}

async function append(handle: FileHandle, text: string): Promise<number> {
  const bytes = Buffer.from(text);
  await handle.writeFile(bytes);
  return bytes.length;
}

/**
 * Reads a snapshot into a state.
 *
 * @returns its size in bytes
 * @throws {StoreError} `store_corrupt` or `store_unsupported_format`
 */
export async function readSnapshot(path: string, reader: StateReader): Promise<number> {
  let size = 0;
  let count = -2;
  let isOver = false;
  const unread = new UnreadLines(path, reader.values);
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      if (isOver || !line.isWhole)
        throw damaged(path, line.offset, 'a line is cut off or too many');
      size = line.offset + line.bytes.length + 1;
      checkLine(path, line);
      const change = readPart(path, line, 0);
      if (count === -2) reader.format = readFormat(path, change);
      else if (isEnd(change, count)) isOver = true;
      else applyLine(line, change, reader, unread);
      count += 1;
    }
  }
  if (!isOver) throw damaged(path, size, 'the end is missing');
  return size;
}

function readFormat(path: string, first: unknown): number {
  const [kind, format]: unknown[] = Array.isArray(first) ? first : [];
  if (kind !== 'snapshot') throw damaged(path, 0, 'it is no snapshot');
  const known = [STATE_FORMAT, ...FORMER_FORMATS].find((one) => one === format);
  if (known !== undefined) return known;
  throw new StoreError(
    'store_unsupported_format',
    `${path} must have format ${STATE_FORMAT}, got ${JSON.stringify(format)}. Use the release that wrote it, or an empty folder.`,
  );
}

/** The first two lines are no records. */
function isEnd(change: unknown, count: number): boolean {
  return Array.isArray(change) && change[0] === 'end' && change[1] === count;
}
