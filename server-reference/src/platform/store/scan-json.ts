import { open } from 'node:fs/promises';

import { damaged } from './lines.ts';

/** A value in a JSON file that is an object of objects. */
export interface ScannedValue {
  /** The names of the members that lead to it: one, or two for a member that is scanned deeper. */
  readonly keys: readonly string[];
  readonly offset: number;
  readonly bytes: Buffer;
}

const CHUNK_BYTES = 4_194_304;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Yields the members of the object in a JSON file, and instead of a member for which `isDeep` holds, its
 * members. Reads by pieces: only one value at a time must fit in memory.
 *
 * @throws {StoreError} `store_corrupt` if the braces do not match
 */
export async function* scanJson(
  path: string,
  isDeep: (name: string) => boolean,
): AsyncGenerator<ScannedValue> {
  const scanner = new Scanner(path, isDeep);
  const handle = await open(path, 'r');
  try {
    for (let offset = 0; ;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, offset);
      if (bytesRead === 0) break;
      yield* scanner.take(chunk.subarray(0, bytesRead));
      offset += bytesRead;
    }
    scanner.finish();
  } finally {
    await handle.close();
  }
}

class Scanner {
  readonly #path: string;
  readonly #isDeep: (name: string) => boolean;
  /** The names that lead to the current object. */
  readonly #keys: string[] = [];
  /** The number of open braces and brackets. */
  #depth = 0;
  /** The depth whose members are yielded: 1, or 2 in a deep member. */
  #level = 1;
  #isInText = false;
  #isEscaped = false;
  #key: string | null = null;
  #offset = 0;
  #start = 0;
  #parts: Buffer[] = [];

  constructor(path: string, isDeep: (name: string) => boolean) {
    this.#path = path;
    this.#isDeep = isDeep;
  }

  *take(chunk: Buffer): Generator<ScannedValue> {
    let from = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
        continue;
      }
      if (byte === QUOTE) {
        this.#isInText = true;
        continue;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#depth += 1;
        if (this.#depth !== this.#level && !this.#goesDeeper(byte)) continue;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth -= 1;
        if (this.#depth < this.#level - 1) this.#fail('braces do not match');
        if (this.#depth !== this.#level - 1) continue;
        yield* this.#value(chunk.subarray(from, index));
        this.#level = Math.max(1, this.#level - 1);
        this.#key = null;
        this.#keys.pop();
      } else if (byte === COLON && this.#depth === this.#level && this.#key === null) {
        this.#key = this.#readKey(chunk.subarray(from, index));
      } else if (byte === COMMA && this.#depth === this.#level) {
        yield* this.#value(chunk.subarray(from, index));
      } else continue;
      from = index + 1;
      this.#parts = [];
      this.#start = this.#offset + from;
    }
    this.#parts.push(chunk.subarray(from));
    this.#offset += chunk.length;
  }

  finish(): void {
    if (this.#depth !== 0 || this.#isInText || this.#start === 0) {
      this.#fail('it is not complete JSON');
    }
    if (Buffer.concat(this.#parts).toString().trim() !== '')
      this.#fail('it has more than one value');
  }

  #goesDeeper(byte: number): boolean {
    const key = this.#key;
    if (this.#depth !== 2 || this.#level !== 1 || byte !== OPEN_BRACE || key === null) return false;
    if (!this.#isDeep(key)) return false;
    this.#keys.push(key);
    this.#key = null;
    this.#level = 2;
    return true;
  }

  /** The value before a comma or a brace; nothing after a deep member and in an empty object. */
  *#value(rest: Buffer): Generator<ScannedValue> {
    const key = this.#key;
    this.#key = null;
    const bytes = this.#joined(rest);
    if (key !== null) yield { keys: [...this.#keys, key], offset: this.#start, bytes };
    else if (bytes.toString().trim() !== '') this.#fail('a value has no name');
  }

  #readKey(rest: Buffer): string {
    try {
      const key: unknown = JSON.parse(this.#joined(rest).toString());
      if (typeof key === 'string') return key;
    } catch {
      // The same error follows.
    }
    return this.#fail('a name is not text');
  }

  #joined(rest: Buffer): Buffer {
    return this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest]);
  }

  #fail(why: string): never {
    throw damaged(this.#path, this.#start, why);
  }
}
