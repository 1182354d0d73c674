/** The names that the records of a table refer to, for example the hashes of their files. */
export interface Names {
  has(name: string): boolean;
}

/** A name, which all records that refer to it share. */
interface Name {
  readonly text: string;
  /** How many times it is referred to. */
  count: number;
}

export class NameIndex<I extends string, T> implements Names {
  readonly #refile: () => void;
  readonly #namesOf: (record: T) => readonly string[];
  readonly #filed = new Map<I, readonly Name[]>();
  readonly #names = new Map<string, Name>();

  constructor(refile: () => void, namesOf: (record: T) => readonly string[]) {
    this.#refile = refile;
    this.#namesOf = namesOf;
  }

  has(name: string): boolean {
    this.#refile();
    return this.#names.has(name);
  }

  refile(id: I, record: T | undefined): void {
    const before = this.#filed.get(id);
    const names = record === undefined ? [] : this.#namesOf(record);
    if (names.length > 0) {
      // A list that grows would take more memory.
      const filed = names.map((name) => this.#refer(name));
      this.#filed.set(id, filed);
    } else if (before !== undefined) this.#filed.delete(id);
    if (before === undefined) return;
    for (const name of before) this.#drop(name);
  }

  #refer(text: string): Name {
    const name = this.#names.get(text);
    if (name === undefined) {
      const first = { text, count: 1 };
      this.#names.set(text, first);
      return first;
    }
    name.count += 1;
    return name;
  }

  #drop(name: Name): void {
    name.count -= 1;
    if (name.count === 0) this.#names.delete(name.text);
  }
}
