/** The names that the records of a table refer to, for example the hashes of their files. */
export interface Names {
  has(name: string): boolean;
}

export class NameIndex<I extends string, T> implements Names {
  readonly #refile: () => void;
  readonly #namesOf: (record: T) => readonly string[];
  readonly #filed = new Map<I, readonly string[]>();
  /** How many times each name is referred to. */
  readonly #counts = new Map<string, number>();

  constructor(refile: () => void, namesOf: (record: T) => readonly string[]) {
    this.#refile = refile;
    this.#namesOf = namesOf;
  }

  has(name: string): boolean {
    this.#refile();
    return this.#counts.has(name);
  }

  refile(changes: ReadonlyMap<I, T | undefined>): void {
    for (const [id, record] of changes) {
      const before = this.#filed.get(id) ?? [];
      const after = record === undefined ? [] : this.#namesOf(record);
      for (const name of after) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      for (const name of before) this.#drop(name);
      if (after.length > 0) this.#filed.set(id, after);
      else this.#filed.delete(id);
    }
  }

  #drop(name: string): void {
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }
}
