import type { RecordSize } from './facts.ts';

/** The records that may be deleted when there are too many, the oldest first, with their sizes. */
export interface History<I extends string> {
  /** The sum of the sizes. */
  readonly size: RecordSize;
  /**
   * The size of each record, in the order of their last changes. When changes were taken back, in the order of the
   * records, as after a start.
   */
  entries(): Iterable<readonly [I, RecordSize]>;
}

export class HistoryIndex<I extends string, T> implements History<I> {
  readonly #refile: () => void;
  readonly #isPast: (record: T) => boolean;
  readonly #sizeOf: (record: T) => RecordSize;
  /** Numbers, because an object for each record takes several times their memory. */
  readonly #bytes = new Map<I, number>();
  /** Of the records that have large values. */
  readonly #largeBytes = new Map<I, number>();
  #allBytes = 0;
  #allLargeBytes = 0;

  constructor(
    refile: () => void,
    isPast: (record: T) => boolean,
    sizeOf: (record: T) => RecordSize,
  ) {
    this.#refile = refile;
    this.#isPast = isPast;
    this.#sizeOf = sizeOf;
  }

  get size(): RecordSize {
    this.#refile();
    return { bytes: this.#allBytes, largeBytes: this.#allLargeBytes };
  }

  *entries(): Iterable<readonly [I, RecordSize]> {
    this.#refile();
    for (const [id, bytes] of this.#bytes) {
      yield [id, { bytes, largeBytes: this.#largeBytes.get(id) ?? 0 }];
    }
  }

  refile(id: I, record: T | undefined): void {
    this.#remove(id);
    if (record === undefined || !this.#isPast(record)) return;
    const { bytes, largeBytes } = this.#sizeOf(record);
    this.#bytes.set(id, bytes);
    this.#allBytes += bytes;
    if (largeBytes === 0) return;
    this.#largeBytes.set(id, largeBytes);
    this.#allLargeBytes += largeBytes;
  }

  reorder(ids: Iterable<I>): void {
    for (const id of ids) {
      const bytes = this.#bytes.get(id);
      if (bytes === undefined) continue;
      this.#bytes.delete(id);
      this.#bytes.set(id, bytes);
    }
  }

  #remove(id: I): void {
    const bytes = this.#bytes.get(id);
    if (bytes === undefined) return;
    this.#bytes.delete(id);
    this.#allBytes -= bytes;
    this.#allLargeBytes -= this.#largeBytes.get(id) ?? 0;
    this.#largeBytes.delete(id);
  }
}
