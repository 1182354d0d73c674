import { createHash } from 'node:crypto';

import { approximateBytes } from './json-size.ts';

/** From about this number of bytes as JSON on, a value is stored outside of its record. */
export const LARGE_BYTES = 16_384;

declare const KEPT: unique symbol;

/** A JSON value in a record, wherever it is stored. {@link keep} makes it and {@link valueOf} reads it. */
export interface Kept {
  readonly [KEPT]: true;
  /** Returns the text of a value that is text. */
  toString(): string;
}

/** What a stored record contains in place of a large value. */
export interface LargeReference {
  /** The hash of its JSON, in lower-case hex. */
  readonly $large: string;
  /** The size of its JSON. */
  readonly bytes: number;
}

/** Where large values are read. */
export interface LargeValueSource {
  /** Returns the JSON, at once. Throws when it is missing or is not as it was written. */
  read(sha256: string): Buffer;
}

/** A large value of a record. It never changes. A record is stored with its reference. */
export class LargeValue {
  readonly sha256: string;
  /** The size of its JSON. */
  readonly bytes: number;
  /** Null once a source has it. */
  #json: Buffer | null = null;
  #source: LargeValueSource | null = null;
  /** Saves reading again what others still use. */
  #decoded: WeakRef<object> | null = null;

  private constructor(sha256: string, bytes: number) {
    this.sha256 = sha256;
    this.bytes = bytes;
  }

  static of(value: unknown): LargeValue {
    const json = Buffer.from(JSON.stringify(value));
    const made = new LargeValue(createHash('sha256').update(json).digest('hex'), json.length);
    made.#json = json;
    made.#remember(value);
    return made;
  }

  static stored({ $large, bytes }: LargeReference, source: LargeValueSource): LargeValue {
    const made = new LargeValue($large, bytes);
    made.#source = source;
    return made;
  }

  /** Its JSON while no source has it. */
  get unstored(): Buffer | null {
    return this.#json;
  }

  /** From now on the value is read from a source, and takes no memory. */
  moveTo(source: LargeValueSource): void {
    this.#source = source;
    this.#json = null;
  }

  read(): unknown {
    const decoded = this.#decoded?.deref();
    if (decoded !== undefined) return decoded;
    const json = this.#json ?? this.#source?.read(this.sha256);
    const value: unknown = JSON.parse(String(json));
    this.#remember(value);
    return value;
  }

  toString(): string {
    return String(this.read());
  }

  toJSON(): LargeReference {
    return { $large: this.sha256, bytes: this.bytes };
  }

  #remember(value: unknown): void {
    if (typeof value === 'object' && value !== null) this.#decoded = new WeakRef(value);
  }
}

/** Makes a value of a record. The value must not change afterwards. Returns a kept value unchanged. */
export function keep(value: unknown): Kept;
export function keep(value: unknown): unknown {
  if (value instanceof LargeValue) return value;
  const isLarge = approximateBytes(value) >= LARGE_BYTES || looksLikeReference(value);
  return isLarge ? LargeValue.of(value) : value;
}

/** Returns a value of a record. A large one may be read from a file, once while it is in use. */
export function valueOf(kept: unknown): unknown {
  return kept instanceof LargeValue ? kept.read() : kept;
}

/** Returns the size of a large value as JSON, and 0 for one in its record. */
export function largeBytesOf(kept: unknown): number {
  return kept instanceof LargeValue ? kept.bytes : 0;
}

/** Such a value is stored outside of its record at any size, so that each one in a record is a reference. */
function looksLikeReference(value: unknown): value is { readonly $large: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$large');
}

/** Reads a reference in a stored record; null for a value. Throws a TypeError for a malformed one. */
export function readReference(stored: unknown): LargeReference | null {
  if (!looksLikeReference(stored)) return null;
  const { $large, bytes }: { $large?: unknown; bytes?: unknown } = stored;
  if (typeof $large === 'string' && /^[0-9a-f]{64}$/.test($large) && typeof bytes === 'number') {
    return { $large, bytes };
  }
  throw new TypeError('the reference to a large value is malformed');
}
