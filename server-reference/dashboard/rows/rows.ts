import { batch, computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { followers } from '../live/follow.ts';
import type { StreamRow } from '../live/follow.ts';

/** The rows of one request. */
export const ROWS_OF_A_PAGE = 200;
/** The rows of one part of the list on the page. */
const ROWS_OF_A_CHUNK = 25;

/** Where rows come from. */
export interface Source<T> {
  /** Reads a part of the list, newest first. */
  readonly page: (cursor: string | undefined) => Promise<Page<T>>;
  readonly idOf: (row: T) => string;
  readonly timeOf: (row: T) => string;
  /** Whether the list includes a row of the stream. Default: all. */
  readonly includes?: (row: T) => boolean;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string;
}

/** A part of a list: only those near to what is visible are on the page. */
interface Chunk {
  readonly key: number;
  readonly ids: Signal<readonly string[]>;
}

type Change<T> = { readonly row: T } | { readonly removed: string };

/**
 * A list of rows by id, newest first, that follows the stream. Each row is a signal: a change renders one row,
 * and a new row renders one chunk.
 */
export class Rows<T> {
  /** `failed` holds a message. */
  readonly state: Signal<'loading' | 'ready' | { readonly failed: string }> = signal('loading');
  readonly chunks: Signal<readonly Chunk[]> = signal([]);
  readonly hasMore: ReadonlySignal<boolean> = computed(() => this.#cursor.value !== undefined);
  readonly size: ReadonlySignal<number>;
  /** New rows that wait until the list is no longer held. */
  readonly fresh: Signal<readonly T[]> = signal([]);
  #isHeld = false;
  readonly #size = signal(0);
  readonly #source: Source<T>;
  readonly #rows = new Map<string, Signal<T>>();
  readonly #cursor = signal<string | undefined>(undefined);
  /** The rows that arrived during a request, because its response may be older. */
  #waiting: Change<T>[] | null = null;
  #keys = 0;

  constructor(source: Source<T>) {
    this.#source = source;
    this.size = this.#size;
  }

  row(id: string): ReadonlySignal<T> | undefined {
    return this.#rows.get(id);
  }

  /** While it is held, a new row moves no other: it waits in `fresh`. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld || this.fresh.value.length === 0) return;
    const waiting = this.fresh.value;
    batch(() => {
      this.fresh.value = [];
      for (const row of waiting) this.#change({ row });
    });
  }

  /** Reads the newest page, and forgets all others. */
  async load(): Promise<void> {
    await this.#request(undefined, (page) => {
      const kept = new Set(page.data.map((row) => this.#source.idOf(row)));
      for (const id of this.#rows.keys()) if (!kept.has(id)) this.#rows.delete(id);
      this.chunks.value = [];
      this.fresh.value = [];
      this.#append(page);
    });
  }

  /** Reads the next older page. */
  async more(): Promise<void> {
    const cursor = this.#cursor.value;
    if (cursor === undefined || this.#waiting !== null) return;
    await this.#request(cursor, (page) => this.#append(page));
  }

  /** Adds or changes a row. */
  put(row: T): void {
    this.#change({ row });
  }

  remove(id: string): void {
    this.#change({ removed: id });
  }

  async #request(cursor: string | undefined, apply: (page: Page<T>) => void): Promise<void> {
    const waiting: Change<T>[] = [];
    this.#waiting = waiting;
    try {
      const page = await this.#source.page(cursor);
      // A later request replaces this one.
      if (this.#waiting !== waiting) return;
      this.#waiting = null;
      batch(() => {
        apply(page);
        for (const change of waiting) this.#change(change);
        this.state.value = 'ready';
      });
    } catch (error) {
      if (this.#waiting !== waiting) return;
      this.#waiting = null;
      this.state.value = { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  #append({ data, nextCursor }: Page<T>): void {
    const fresh = data.filter((row) => !this.#place(row));
    const ids = fresh.map((row) => this.#source.idOf(row));
    const added: Chunk[] = [];
    for (let at = 0; at < ids.length; at += ROWS_OF_A_CHUNK) {
      added.push(this.#chunk(ids.slice(at, at + ROWS_OF_A_CHUNK)));
    }
    this.chunks.value = [...this.chunks.value, ...added];
    this.#cursor.value = nextCursor;
    this.#size.value = this.chunks.value.reduce((sum, chunk) => sum + chunk.ids.value.length, 0);
  }

  /** Sets the row. Returns whether the list already shows it. */
  #place(row: T): boolean {
    const id = this.#source.idOf(row);
    const known = this.#rows.get(id);
    if (known === undefined) this.#rows.set(id, signal(row));
    else known.value = row;
    return known !== undefined && this.chunks.value.some(({ ids }) => ids.value.includes(id));
  }

  #change(change: Change<T>): void {
    if (this.#waiting !== null) {
      this.#waiting.push(change);
      return;
    }
    if ('removed' in change) {
      this.#take(change.removed);
      return;
    }
    const { row } = change;
    const id = this.#source.idOf(row);
    const known = this.#rows.get(id);
    if (this.#source.includes?.(row) === false) this.#take(id);
    else if (known === undefined && this.#isHeld) this.#wait(id, row);
    else if (known === undefined) this.#insert(id, row);
    else known.value = row;
  }

  #wait(id: string, row: T): void {
    const others = this.fresh.value.filter((one) => this.#source.idOf(one) !== id);
    this.fresh.value = [...others, row];
  }

  #take(id: string): void {
    if (this.fresh.value.some((one) => this.#source.idOf(one) === id)) {
      this.fresh.value = this.fresh.value.filter((one) => this.#source.idOf(one) !== id);
    }
    if (!this.#rows.delete(id)) return;
    const chunk = this.chunks.value.find(({ ids }) => ids.value.includes(id));
    if (chunk === undefined) return;
    chunk.ids.value = chunk.ids.value.filter((one) => one !== id);
    this.#size.value -= 1;
  }

  /** Puts a row before the first that is not newer. One that is older than all comes with a later page. */
  #insert(id: string, row: T): void {
    const { timeOf } = this.#source;
    const time = timeOf(row);
    const isBefore = (other: string): boolean => {
      const known = this.#rows.get(other);
      return known !== undefined && timeOf(known.value) <= time;
    };
    const chunk = this.chunks.value.find(({ ids }) => isBefore(ids.value.at(-1) ?? ''));
    if (chunk === undefined && this.hasMore.value) return;
    this.#rows.set(id, signal(row));
    this.#size.value += 1;
    const target = chunk ?? this.chunks.value.at(-1);
    if (target === undefined) {
      this.chunks.value = [this.#chunk([id])];
      return;
    }
    const at = target.ids.value.findIndex(isBefore);
    target.ids.value = target.ids.value.toSpliced(at === -1 ? Infinity : at, 0, id);
    this.#split(target);
  }

  /** Keeps chunks small: new rows arrive in the first. */
  #split(chunk: Chunk): void {
    const ids = chunk.ids.value;
    if (ids.length < 2 * ROWS_OF_A_CHUNK) return;
    const half = this.#chunk(ids.slice(0, ROWS_OF_A_CHUNK));
    chunk.ids.value = ids.slice(ROWS_OF_A_CHUNK);
    const at = this.chunks.value.indexOf(chunk);
    this.chunks.value = this.chunks.value.toSpliced(at, 0, half);
  }

  #chunk(ids: readonly string[]): Chunk {
    this.#keys += 1;
    return { key: this.#keys, ids: signal(ids) };
  }
}

/** A source of rows, and how a row of the stream changes them. */
export interface LiveSource<T> extends Source<T> {
  readonly apply: (row: StreamRow, rows: Rows<T>) => void;
}

/**
 * Returns rows that follow the stream while the component is on the page.
 *
 * @param key - names the source: with another key, the rows are read again
 */
export function useRows<T>(key: string, source: LiveSource<T>): Rows<T> {
  const rows = useMemo(() => new Rows<T>(source), [key]);
  useEffect(
    () =>
      followers.add({
        reload: () => rows.load(),
        apply: (row) => source.apply(row, rows),
      }),
    [rows],
  );
  return rows;
}
