import type { LargeReference } from './large-value.ts';

/** Reads what the line of a stored record contains. */
export interface LineReader {
  facts(unread: UnreadRecord): unknown;
  record(unread: UnreadRecord): object;
}

/**
 * A stored record as the line of its file, whose checksum was right. The line is outside of the heap, and
 * becomes an object when the record is first used: a start reads only the facts beside it.
 */
export class UnreadRecord {
  readonly id: string;
  /** The large values that it refers to. */
  readonly large: readonly LargeReference[];
  /** The place of the line in its file. */
  readonly offset: number;
  /** The memory with the line. A view for each line would take more than the rest of this object. */
  readonly #memory: ArrayBufferLike;
  readonly #start: number;
  readonly #length: number;
  readonly #reader: LineReader;

  constructor(
    { id, large }: Pick<UnreadRecord, 'id' | 'large'>,
    { bytes, offset }: { readonly bytes: Buffer; readonly offset: number },
    reader: LineReader,
  ) {
    this.id = id;
    this.large = large;
    this.offset = offset;
    this.#memory = bytes.buffer;
    this.#start = bytes.byteOffset;
    this.#length = bytes.length;
    this.#reader = reader;
  }

  /** The line without its end. */
  get bytes(): Buffer {
    return Buffer.from(this.#memory, this.#start, this.#length);
  }

  /** Returns what the indexes know of the record, without reading it. */
  facts(): unknown {
    return this.#reader.facts(this);
  }

  read(): object {
    return this.#reader.record(this);
  }
}
