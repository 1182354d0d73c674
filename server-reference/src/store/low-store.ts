import type { Low } from 'lowdb';

import { pruneHistory } from './prune-history.ts';
import type { DeepReadonly } from './read-only.ts';
import type { State } from './state.ts';
import { reasonOf, StoreError } from './store.ts';
import type { Store } from './store.ts';

/** A store on a lowdb database. Writes never overlap. */
export class LowStore implements Store {
  readonly #low: Low<State>;
  readonly #release: () => Promise<void>;
  #writtenChanges: number;
  /** The write that is in progress. */
  #writing: Promise<void> | null = null;
  /** The write that starts after it. Commits that arrive until then share it. */
  #nextWrite: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  /** @param release - releases the resources of the database; called once, by {@link close} */
  constructor(low: Low<State>, release: () => Promise<void>) {
    this.#low = low;
    this.#release = release;
    this.#writtenChanges = low.data.changes;
  }

  get state(): State {
    return this.#low.data;
  }

  async commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;
  async commit(mutate: (state: State) => unknown): Promise<unknown> {
    if (this.#closing !== null) {
      throw new StoreError('store_closed', 'The store is closed; commit before close().');
    }
    const result = mutate(this.state);
    pruneHistory(this.state);
    // Also without a change: the result may rest on one that is not written yet.
    await this.#flush();
    return result;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#flush();
    } finally {
      await this.#release();
    }
  }

  async #flush(): Promise<void> {
    if (this.#writtenChanges === this.state.changes) return;
    this.#nextWrite ??= this.#write(this.#writing);
    await this.#nextWrite;
  }

  async #write(previous: Promise<void> | null): Promise<void> {
    await previous?.catch(() => {});
    // Requests that arrived together share this write.
    await new Promise(setImmediate);
    this.#writing = this.#nextWrite;
    this.#nextWrite = null;
    const { changes } = this.state;
    await this.#low.write().catch((cause: unknown) => {
      throw writeFailed(cause);
    });
    this.#writtenChanges = changes;
  }
}

function writeFailed(cause: unknown): StoreError {
  return new StoreError(
    'store_write_failed',
    `The state could not be written (${reasonOf(cause)}). Its last changes are lost if the server stops before a write succeeds. Free disk space, or give this user write access.`,
    { cause },
  );
}
