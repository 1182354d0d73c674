import type { Groups, Index } from './table-types.ts';

export class GroupIndex<I extends string, T> implements Groups<I>, Index<I, T> {
  readonly #beforeRead: () => void;
  readonly #groupOf: (record: T) => string | null;
  readonly #groupById = new Map<I, string>();
  readonly #groups = new Map<string, Set<I>>();

  constructor(beforeRead: () => void, groupOf: (record: T) => string | null) {
    this.#beforeRead = beforeRead;
    this.#groupOf = groupOf;
  }

  of(group: string): ReadonlySet<I> {
    this.#beforeRead();
    return this.#groups.get(group) ?? new Set();
  }

  all(): Iterable<I> {
    this.#beforeRead();
    return this.#groupById.keys();
  }

  entries(): Iterable<readonly [string, ReadonlySet<I>]> {
    this.#beforeRead();
    return this.#groups.entries();
  }

  update(id: I, record: T | undefined): void {
    const previous = this.#groupById.get(id);
    const group = record === undefined ? undefined : (this.#groupOf(record) ?? undefined);
    if (previous === group) return;
    if (previous !== undefined) this.#leave(id, previous);
    if (group !== undefined) this.#enter(id, group);
  }

  #enter(id: I, group: string): void {
    this.#groupById.set(id, group);
    const ids = this.#groups.get(group);
    if (ids === undefined) this.#groups.set(group, new Set([id]));
    else ids.add(id);
  }

  #leave(id: I, group: string): void {
    this.#groupById.delete(id);
    const ids = this.#groups.get(group);
    ids?.delete(id);
    if (ids?.size === 0) this.#groups.delete(group);
  }
}
