import type { Index, OrderedIds } from './table-types.ts';

/** The list that a record belongs to, or null, and the key by which the list is sorted. */
export interface ListEntry<T> {
  readonly owner: (record: T) => string | null;
  readonly key: (record: T) => string;
}

/** The order of keys. Records with equal keys are ordered by id. */
export type SortOrder = 'ascending' | 'descending';

interface Position {
  readonly owner: string;
  readonly key: string;
}

export class OrderedIndex<I extends string, T> implements OrderedIds<I>, Index<I, T> {
  readonly #beforeRead: () => void;
  readonly #entry: ListEntry<T>;
  readonly #isDescending: boolean;
  readonly #positions = new Map<I, Position>();
  readonly #lists = new Map<string, I[]>();

  constructor(beforeRead: () => void, entry: ListEntry<T>, order: SortOrder) {
    this.#beforeRead = beforeRead;
    this.#entry = entry;
    this.#isDescending = order === 'descending';
  }

  of(owner: string): readonly I[] {
    this.#beforeRead();
    return this.#lists.get(owner) ?? [];
  }

  update(id: I, record: T | undefined): void {
    const previous = this.#positions.get(id);
    const position = record === undefined ? undefined : this.#positionOf(record);
    if (previous?.owner === position?.owner && previous?.key === position?.key) return;
    if (previous !== undefined) this.#remove(id, previous);
    if (position !== undefined) this.#insert(id, position);
  }

  #positionOf(record: T): Position | undefined {
    const owner = this.#entry.owner(record);
    return owner === null ? undefined : { owner, key: this.#entry.key(record) };
  }

  #insert(id: I, position: Position): void {
    const list = this.#lists.get(position.owner) ?? [];
    this.#lists.set(position.owner, list);
    list.splice(this.#rankOf(id, position, list), 0, id);
    this.#positions.set(id, position);
  }

  #remove(id: I, position: Position): void {
    const list = this.#lists.get(position.owner) ?? [];
    list.splice(this.#rankOf(id, position, list), 1);
    this.#positions.delete(id);
    if (list.length === 0) this.#lists.delete(position.owner);
  }

  /** Returns the index of the first id that does not come before this one. */
  #rankOf(id: I, { key }: Position, list: readonly I[]): number {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = list[middle];
      if (other !== undefined && this.#isBefore(other, id, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(other: I, id: I, key: string): boolean {
    const otherKey = this.#positions.get(other)?.key ?? '';
    return otherKey === key ? other < id : otherKey > key === this.#isDescending;
  }
}
