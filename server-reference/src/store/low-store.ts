import type { Low } from 'lowdb';

import { pruneHistory } from './prune-history.ts';
import type { DeepReadonly } from './read-only.ts';
import type { State, StoredState } from './state.ts';
import { reasonOf, StoreError } from './store.ts';
import type { Store, WhenFull } from './store.ts';
import { withinBound } from './bound.ts';

/** A store on a lowdb database. Writes never overlap. */
export class LowStore implements Store {
  readonly #low: Low<StoredState>;
  readonly #release: () => Promise<void>;
  readonly #recoveryListeners: (() => void)[] = [];
  #writtenChanges: number;
  /** The write that is in progress. */
  #writing: Promise<void> | null = null;
  /** The write that starts after it. Commits that arrive until then share it. */
  #nextWrite: Promise<void> | null = null;
  #isFailing = false;
  #closing: Promise<void> | null = null;

  /** @param release - releases the resources of the database; called once, by {@link close} */
  constructor(low: Low<StoredState>, release: () => Promise<void>) {
    this.#low = low;
    this.#release = release;
    this.#writtenChanges = low.data.storedChanges;
  }

  get state(): StoredState {
    return this.#low.data;
  }

  async commit<T>(mutate: (state: State) => T, whenFull?: WhenFull): Promise<DeepReadonly<T>>;
  async commit(mutate: (state: State) => unknown, whenFull: WhenFull = 'refuse'): Promise<unknown> {
    if (this.#closing !== null) {
      throw new StoreError('store_closed', 'The store is closed; commit before close().');
    }
    const { changes, storedChanges } = this.state;
    const change = (): unknown => {
      const result = mutate(this.state);
      pruneHistory(this.state);
      return result;
    };
    const result = whenFull === 'commit' ? change() : withinBound(this.state, change);
    // A result without a change may rest on one that is not written yet.
    const isTemporary = this.state.changes > changes && this.state.storedChanges === storedChanges;
    if (!isTemporary) await this.flush();
    return result;
  }

  async flush(): Promise<void> {
    if (this.#writtenChanges === this.state.storedChanges) return;
    this.#nextWrite ??= this.#write(this.#writing);
    await this.#nextWrite;
  }

  onRecovery(listener: () => void): void {
    this.#recoveryListeners.push(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#release();
    }
  }

  async #write(previous: Promise<void> | null): Promise<void> {
    await previous?.catch(() => {});
    // Requests that arrived together share this write.
    await new Promise(setImmediate);
    this.#writing = this.#nextWrite;
    this.#nextWrite = null;
    const { storedChanges } = this.state;
    try {
      await this.#low.write();
    } catch (cause) {
      this.#isFailing = true;
      throw writeFailed(cause);
    }
    this.#writtenChanges = storedChanges;
    if (!this.#isFailing) return;
    this.#isFailing = false;
    for (const listener of this.#recoveryListeners) listener();
  }
}

function writeFailed(cause: unknown): StoreError {
  return new StoreError(
    'store_write_failed',
    `The state could not be written (${reasonOf(cause)}). Its last changes are lost if the server stops before a write succeeds. Free disk space, or give this user write access.`,
    { cause },
  );
}
