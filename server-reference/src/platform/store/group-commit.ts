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
 * Makes a store of a lowdb database: mutations are gathered first and written together, so that the
 * whole state is serialised once for all commits that wait, and never twice at the same time.
 *
 * @param release - lets go of what the database holds; called once, by `close()`
 */
export function groupCommitStore(low: Low<State>, release: () => Promise<void>): Store {
  let commits = 0;
  let waiting: Waiter[] = [];
  let flushing: Promise<void> | null = null;
  let refusal: StoreError | null = null;
  let closing: Promise<void> | null = null;

  async function flush(): Promise<void> {
    // One turn of the event loop: requests that arrived together share this flush.
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
    // In the same turn as the last look at `waiting`: a later commit must start the next flush.
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
    refusal ??= new StoreError('store_closed', 'the store is closed: commit before close()');
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
    `the state could not be written (${why}); nothing more is accepted: make room on the disk and start again`,
    { cause },
  );
}

/** A store that forgets everything when the process ends. For tests and short trials. */
export function createMemoryStore(initial: State): Store {
  return groupCommitStore(new Low<State>(new Memory<State>(), initial), async () => {});
}
