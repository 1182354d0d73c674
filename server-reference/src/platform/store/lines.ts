import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
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
  let parts: Buffer[] = [];
  let start = 0;
  for await (const { offset, bytes } of readChunks(path)) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
      const last = bytes.subarray(from, end);
      const whole = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      lines.push({ offset: start, bytes: whole, isWhole: true });
      parts = [];
      from = end + 1;
      start = offset + from;
    }
    if (from < bytes.length) parts.push(bytes.subarray(from));
    yield lines;
  }
  if (parts.length > 0) yield [{ offset: start, bytes: Buffer.concat(parts), isWhole: false }];
}

interface Chunk {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Reads the next chunk while the caller works on one. */
async function* readChunks(path: string): AsyncGenerator<Chunk> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    let next = readChunk(handle, 0, size);
    for (let chunk = await next; chunk.bytes.length > 0; chunk = await next) {
      next = readChunk(handle, chunk.offset + chunk.bytes.length, size);
      // An error is thrown where the chunk is awaited, not before.
      next.catch(() => {});
      yield chunk;
    }
  } finally {
    // Waits for a read that goes on.
    await handle.close();
  }
}

/** Lines stay in their chunk, so each chunk has memory of its own. */
async function readChunk(handle: FileHandle, offset: number, size: number): Promise<Chunk> {
  const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, size - offset));
  const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset);
  return { offset, bytes: chunk.subarray(0, bytesRead) };
}

/** Separates the parts of a line. JSON without indentation has no such character. */
export const SEPARATOR = '\t';
const SEPARATOR_BYTE = 9;

/** Returns a line with the checksum of its text before it, and its end. */
export function checkedLine(text: string): string {
  return `${checksum(text)} ${text}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_CHARACTERS, '0');
}

const CHECKSUM_CHARACTERS = 8;
const TEXT_START = CHECKSUM_CHARACTERS + 1;
const SPACE = 32;

/**
 * Compares the checksum of a line with its text.
 *
 * @throws {StoreError} `store_corrupt`, which names the file, the place and the record
 */
export function checkLine(path: string, { offset, bytes }: Line): void {
  const text = bytes.subarray(TEXT_START);
  if (readChecksum(bytes) === crc32(text) && bytes[CHECKSUM_CHARACTERS] === SPACE) return;
  throw damaged(path, offset, `the checksum of ${describe(text)} does not match`);
}

/** The value of each byte that is a hex digit; NaN for other bytes. */
const DIGITS = new Float64Array(256).fill(Number.NaN);
DIGITS.set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], '0'.charCodeAt(0));
DIGITS.set([10, 11, 12, 13, 14, 15], 'a'.charCodeAt(0));

/** Returns NaN for a malformed checksum. A string for each line would take longer than the checksum of its text. */
function readChecksum(bytes: Buffer): number {
  let value = 0;
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    value = value * 16 + (DIGITS[bytes[index] ?? 0] ?? Number.NaN);
  }
  return value;
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
