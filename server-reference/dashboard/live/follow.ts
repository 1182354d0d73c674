import type { StreamEvent } from '@hookproof/spec/control';
import { batch } from '@preact/signals';

/** A row of the stream. */
export type StreamRow = Exclude<StreamEvent, { event: 'ready' | 'reset' }>;

/** Something on the page that shows rows. */
export interface Follower {
  /** Reads its rows again. Called at the start, and when rows of the stream are missing. */
  readonly reload: () => Promise<void>;
  /** Applies a row. A row that was applied before changes nothing. */
  readonly apply: (row: StreamRow) => void;
}

/** Rows of one moment are shown together, so that a burst costs a few renderings. */
const GATHER_MILLISECONDS = 50;

class Followers {
  readonly #followers = new Set<Follower>();
  #rows: StreamRow[] = [];
  #isOpen = false;

  add(follower: Follower): () => void {
    this.#followers.add(follower);
    if (this.#isOpen) void follower.reload();
    return () => this.#followers.delete(follower);
  }

  /** Lets every follower read its rows. Later ones do so when they are added. */
  async reload(): Promise<void> {
    this.#isOpen = true;
    await Promise.all([...this.#followers].map((one) => one.reload()));
  }

  queue(row: StreamRow): void {
    if (this.#rows.length === 0) setTimeout(() => this.#flush(), GATHER_MILLISECONDS);
    this.#rows.push(row);
  }

  #flush(): void {
    const rows = this.#rows;
    this.#rows = [];
    batch(() => {
      for (const row of rows) for (const one of this.#followers) one.apply(row);
    });
  }
}

/** The followers of the stream. */
export const followers: Followers = new Followers();
