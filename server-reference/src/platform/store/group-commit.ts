import { Low, Memory } from 'lowdb';

import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State, StoredState } from '../state/state.ts';
import { StoreError } from './store.ts';
import type { Store } from './store.ts';

interface Waiter {
  resolve(): void;
  reject(error: StoreError): void;
}

interface GroupCommitOptions {
  /** Takes back all changes that are not written. Called when a write has failed. */
  readonly undo: () => void;
  /** Releases the resources of the database; called once, by `close()`. */
  readonly release: () => Promise<void>;
}

/**
 * Creates a store on a lowdb database. Commits that arrive together share one write and one sync. Writes
 * never overlap.
 */
export function groupCommitStore(
  low: Low<StoredState>,
  { undo, release }: GroupCommitOptions,
): Store {
  let commits = 0;
  let waiting: Waiter[] = [];
  let flushing: Promise<void> | null = null;
  let refusal: StoreError | null = null;
  let closing: Promise<void> | null = null;

  async function flush(): Promise<void> {
    // Waits one turn of the event loop, so that requests that arrived together share this flush.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await low.write();
        for (const waiter of batch) waiter.resolve();
      } catch (cause) {
        // Later changes may rest on those of this batch, so all of them are taken back.
        undo();
        commits += 1;
        const failure = writeFailed(cause);
        for (const waiter of [...batch, ...waiting]) waiter.reject(failure);
        waiting = [];
      }
    }
    // Without an await since the loop ended, so that the next commit starts another flush.
    flushing = null;
  }

  function commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;
  async function commit(mutate: (state: State) => unknown): Promise<unknown> {
    if (refusal !== null) throw refusal;
    commits += 1;
    const result = mutate(low.data);
    const durable = new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
    flushing ??= flush();
    await durable;
    return result;
  }

  async function close(): Promise<void> {
    refusal ??= new StoreError('store_closed', 'The store is closed; commit before close().');
    await flushing;
    await release();
  }

  return {
    get state(): ReadonlyState {
      return low.data;
    },
    get commits(): number {
      return commits;
    },
    commit,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function writeFailed(cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    'store_write_failed',
    `The change could not be written (${why}) and was taken back. Free disk space, then try again.`,
    { cause },
  );
}

/** Creates a store in memory. Its state is lost when the process ends. */
export function createMemoryStore(initial: StoredState): Store {
  const low = new Low<StoredState>(new Memory<StoredState>(), initial);
  // A write to memory cannot fail.
  return groupCommitStore(low, { undo: () => {}, release: async () => {} });
}
