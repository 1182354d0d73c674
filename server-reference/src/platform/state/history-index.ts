import { approximateBytes } from './json-size.ts';

/** About the bytes of a record, and those of its large values, which are stored outside of it. */
export interface RecordSize {
  readonly bytes: number;
  readonly largeBytes: number;
}

/** The records that may be deleted when there are too many, the oldest first, with their sizes. */
export interface History<I extends string> {
  /** The sum of the sizes. */
  readonly size: RecordSize;
  /**
   * The size of each record, in the order in which the records became past. When changes were taken back, in the order
   * of the records, as after a start.
   */
  entries(): Iterable<readonly [I, RecordSize]>;
}

export class HistoryIndex<I extends string, T> implements History<I> {
  readonly #refile: () => void;
  readonly #isPast: (record: T) => boolean;
  readonly #largeBytesOf: (record: T) => number;
  readonly #sizes = new Map<I, RecordSize>();
  #bytes = 0;
  #largeBytes = 0;

  constructor(
    refile: () => void,
    isPast: (record: T) => boolean,
    largeBytesOf: (record: T) => number,
  ) {
    this.#refile = refile;
    this.#isPast = isPast;
    this.#largeBytesOf = largeBytesOf;
  }

  get size(): RecordSize {
    this.#refile();
    return { bytes: this.#bytes, largeBytes: this.#largeBytes };
  }

  entries(): Iterable<readonly [I, RecordSize]> {
    this.#refile();
    return this.#sizes.entries();
  }

  refile(changes: ReadonlyMap<I, T | undefined>): void {
    for (const [id, record] of changes) {
      const before = this.#sizes.get(id) ?? { bytes: 0, largeBytes: 0 };
      this.#bytes -= before.bytes;
      this.#largeBytes -= before.largeBytes;
      if (record === undefined || !this.#isPast(record)) {
        this.#sizes.delete(id);
        continue;
      }
      const size = { bytes: approximateBytes(record), largeBytes: this.#largeBytesOf(record) };
      this.#sizes.set(id, size);
      this.#bytes += size.bytes;
      this.#largeBytes += size.largeBytes;
    }
  }
  reorder(ids: Iterable<I>): void {
    for (const id of ids) {
      const size = this.#sizes.get(id);
      if (size === undefined) continue;
      this.#sizes.delete(id);
      this.#sizes.set(id, size);
    }
  }
}
