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

/**
 * Reads a file line by line, in groups of lines. No line is changed to a string.
 *
 * @param life - `group`: a line must be used before the next group is read, which saves a large start a sixth
 * of its time; `lasting`: a line stays as it is
 */
export async function* readLines(
  path: string,
  life: 'group' | 'lasting',
): AsyncGenerator<readonly Line[]> {
  const handle = await open(path, 'r');
  try {
    let parts: Buffer[] = [];
    let start = 0;
    let offset = 0;
    let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      if (life === 'lasting') chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, offset);
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
      if (from < bytesRead) parts.push(Buffer.from(bytes.subarray(from)));
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

/** Returns a line with the checksum of its JSON before it, and its end. */
export function checkedLine(json: string): string {
  return `${checksum(json)} ${json}\n`;
}

function checksum(bytes: string | Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

const CHECKSUM_CHARACTERS = 8;

/**
 * Returns the value of a line with a checksum.
 *
 * @throws {StoreError} `store_corrupt`, which names the file, the place and the record
 */
export function readCheckedLine(path: string, { offset, bytes }: Line): unknown {
  const json = bytes.subarray(CHECKSUM_CHARACTERS + 1);
  if (bytes.toString('latin1', 0, CHECKSUM_CHARACTERS + 1) !== `${checksum(json)} `) {
    throw damaged(path, offset, `the checksum of ${describe(json)} does not match`);
  }
  try {
    return JSON.parse(json.toString());
  } catch (cause) {
    throw damaged(path, offset, `${describe(json)} is not JSON`, cause);
  }
}

/** Names the record of a damaged line as well as the line allows. */
function describe(json: Buffer): string {
  const beginning = json.toString('latin1', 0, 200);
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
