/**
 * Ids per group, in the order in which they entered it. When changes were taken back, in the order of the records,
 * as after a start.
 */
export interface Groups<I extends string> {
  of(group: string): ReadonlySet<I>;
  /** The ids in all groups. */
  all(): Iterable<I>;
}

export class GroupIndex<I extends string, T> implements Groups<I> {
  readonly #refile: () => void;
  readonly #groupOf: (record: T) => string | null;
  readonly #filed = new Map<I, string>();
  readonly #groups = new Map<string, Set<I>>();

  constructor(refile: () => void, groupOf: (record: T) => string | null) {
    this.#refile = refile;
    this.#groupOf = groupOf;
  }

  of(group: string): ReadonlySet<I> {
    this.#refile();
    return this.#groups.get(group) ?? new Set();
  }

  all(): Iterable<I> {
    this.#refile();
    return this.#filed.keys();
  }

  refile(id: I, record: T | undefined): void {
    const before = this.#filed.get(id);
    const after = record === undefined ? undefined : (this.#groupOf(record) ?? undefined);
    if (before === after) return;
    if (before !== undefined) this.#leave(id, before);
    if (after !== undefined) this.#enter(id, after);
  }

  reorder(ids: Iterable<I>): void {
    for (const id of ids) {
      const group = this.#filed.get(id);
      if (group === undefined || this.#groups.get(group)?.size === 1) continue;
      this.#groups.get(group)?.delete(id);
      this.#groups.get(group)?.add(id);
    }
  }

  #enter(id: I, group: string): void {
    this.#filed.set(id, group);
    const ids = this.#groups.get(group);
    if (ids === undefined) this.#groups.set(group, new Set([id]));
    else ids.add(id);
  }

  #leave(id: I, group: string): void {
    this.#filed.delete(id);
    const ids = this.#groups.get(group);
    ids?.delete(id);
    if (ids?.size === 0) this.#groups.delete(group);
  }
}
