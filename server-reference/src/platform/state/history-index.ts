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
  readonly #sizes = new Map<I, RecordSize>();
  #bytes = 0;
  #largeBytes = 0;

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
      this.#sizes.delete(id);
      if (record === undefined || !this.#isPast(record)) continue;
      const { bytes, largeBytes } = this.#sizeOf(record);
      const size = { bytes, largeBytes };
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
