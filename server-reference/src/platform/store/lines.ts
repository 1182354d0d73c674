import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { StoreError } from './store.ts';

/** A line of a file, without its end. */
export interface Line {
  /** The place of its first byte in the file. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** False for the rest of a file that does not end with a line end. */
  readonly isWhole: boolean;
}

const CHUNK_BYTES = 4_194_304;
const LINE_END = 10;

/** Reads a file line by line, in groups of lines. No line is changed to a string. */
export async function* readLines(path: string): AsyncGenerator<readonly Line[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    let parts: Buffer[] = [];
    let start = 0;
    for (let offset = 0; offset < size;) {
      // Lines stay in their chunk, so it is not used again.
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, size - offset));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      const lines: Line[] = [];
      let from = 0;
      for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
        parts.push(bytes.subarray(from, end));
        lines.push({ offset: start, bytes: joined(parts), isWhole: true });
        parts = [];
        from = end + 1;
        start = offset + from;
      }
      if (from < bytesRead) parts.push(bytes.subarray(from));
      offset += bytesRead;
      yield lines;
    }
    if (parts.length > 0) yield [{ offset: start, bytes: joined(parts), isWhole: false }];
  } finally {
    await handle.close();
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = parts;
  return parts.length === 1 ? first : Buffer.concat(parts);
}

/** Separates the parts of a line. JSON without indentation has no such character. */
export const SEPARATOR = '\t';
const SEPARATOR_BYTE = 9;

/** Returns a line with the checksum of its text before it, and its end. */
export function checkedLine(text: string): string {
  return `${checksum(text)} ${text}\n`;
}

function checksum(bytes: string | Buffer): string {
  return crc32(bytes).toString(16).padStart(CHECKSUM_CHARACTERS, '0');
}

const CHECKSUM_CHARACTERS = 8;
const TEXT_START = CHECKSUM_CHARACTERS + 1;

/**
 * Compares the checksum of a line with its text.
 *
 * @throws {StoreError} `store_corrupt`, which names the file, the place and the record
 */
export function checkLine(path: string, { offset, bytes }: Line): void {
  const text = bytes.subarray(TEXT_START);
  if (bytes.toString('latin1', 0, TEXT_START) === `${checksum(text)} `) return;
  throw damaged(path, offset, `the checksum of ${describe(text)} does not match`);
}

/** Returns whether a line has more than one part. */
export function hasParts({ bytes }: Pick<Line, 'bytes'>): boolean {
  return bytes.includes(SEPARATOR_BYTE);
}

/**
 * Returns the value of a part of a checked line.
 *
 * @param index - 0 for the first
 * @throws {StoreError} `store_corrupt`, which names the file, the place and the record
 */
export function readPart(
  path: string,
  { offset, bytes }: Pick<Line, 'offset' | 'bytes'>,
  index: number,
): unknown {
  let [start, end] = [0, TEXT_START - 1];
  for (let part = 0; part <= index; part += 1) {
    start = end + 1;
    const separator = bytes.indexOf(SEPARATOR_BYTE, start);
    end = separator === -1 ? bytes.length : separator;
  }
  try {
    return JSON.parse(bytes.toString('utf8', start, end));
  } catch (cause) {
    throw damaged(path, offset, `${describe(bytes.subarray(TEXT_START))} is not JSON`, cause);
  }
}

/** Names the record of a damaged line as well as the line allows. */
function describe(text: Buffer): string {
  const beginning = text.toString('latin1', 0, 200);
  const [, table, id] = /^\["(\w+)",(?:\{"id":)?"([^"]*)"/.exec(beginning) ?? [];
  return table === undefined ? 'a record' : `record ${id} of ${table}`;
}

/** The error for a file that is not as it was written. */
export function damaged(path: string, offset: number, what: string, cause?: unknown): StoreError {
  return new StoreError(
    'store_corrupt',
    `${path} is damaged at byte ${offset}: ${what}. Nothing was changed. Restore a copy of the folder, or use an empty folder.`,
    { cause },
  );
}
