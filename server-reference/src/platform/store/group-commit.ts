import { Low, Memory } from 'lowdb';

import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import { StoreError } from './store.ts';
import type { Store } from './store.ts';

interface Waiter {
  resolve(): void;
  reject(error: StoreError): void;
}

/**
 * Creates a store on a lowdb database. Commits that arrive together share one write, so that the state is
 * serialised once for all of them. Writes never overlap.
 *
 * @param release - releases the resources of the database; called once, by `close()`
 */
export function groupCommitStore(low: Low<State>, release: () => Promise<void>): Store {
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
        refusal = writeFailed(cause);
        for (const waiter of [...batch, ...waiting]) waiter.reject(refusal);
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
    `The state could not be written (${why}), so no more changes are accepted. Free disk space and restart the server.`,
    { cause },
  );
}

/** Creates a store in memory. Its state is lost when the process ends. */
export function createMemoryStore(initial: State): Store {
  return groupCommitStore(new Low<State>(new Memory<State>(), initial), async () => {});
}
