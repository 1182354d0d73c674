/** The records that may be deleted when there are too many, the oldest first, with their sizes. */
export interface History<I extends string> {
  /** The sum of the sizes. */
  readonly bytes: number;
  /** The size of each record, in the order in which the records became past. */
  entries(): Iterable<readonly [I, number]>;
}

export class HistoryIndex<I extends string, T> implements History<I> {
  readonly #refile: () => void;
  readonly #isPast: (record: T) => boolean;
  readonly #sizes = new Map<I, number>();
  #bytes = 0;

  constructor(refile: () => void, isPast: (record: T) => boolean) {
    this.#refile = refile;
    this.#isPast = isPast;
  }

  get bytes(): number {
    this.#refile();
    return this.#bytes;
  }

  entries(): Iterable<readonly [I, number]> {
    this.#refile();
    return this.#sizes.entries();
  }

  refile(changes: ReadonlyMap<I, T | undefined>): void {
    for (const [id, record] of changes) {
      this.#bytes -= this.#sizes.get(id) ?? 0;
      if (record === undefined || !this.#isPast(record)) {
        this.#sizes.delete(id);
        continue;
      }
      const bytes = approximateBytes(record);
      this.#sizes.set(id, bytes);
      this.#bytes += bytes;
    }
  }
}

/** Of a member of an object: its name, its value and what they cost in memory. */
const MEMBER_BYTES = 16;

/** Returns about the size of a value as JSON. `JSON.stringify` takes several times as long. */
export function approximateBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + MEMBER_BYTES;
  if (typeof value !== 'object' || value === null) return MEMBER_BYTES;
  let bytes = MEMBER_BYTES;
  for (const inner of Object.values(value)) bytes += approximateBytes(inner);
  return bytes;
}
