import type { State } from './state.ts';

/**
 * Where the server keeps its state: all of it in memory, and for a folder store also on disk.
 * There are two, {@link createMemoryStore} and {@link openFolderStore}; they keep the same promises.
 */
export interface Store {
  /** Read freely; change it only inside {@link commit}. */
  readonly state: State;

  /** How many commits were begun since the store was opened; as long as it stands, so does the state. */
  readonly commits: number;

  /**
   * Changes the state and waits until the change is durable.
   *
   * `mutate` runs at once and synchronously, so a reader may see the change before it is durable;
   * answer nobody before the promise resolves. Commits made meanwhile share the next flush, and there
   * is never more than one flush at a time. When `mutate` throws, the promise rejects with what it
   * threw and nothing is flushed for it: decide first, then change, since a half-made change stays.
   *
   * @returns what `mutate` returned
   * @throws {StoreError} `store_write_failed` when the flush fails; from then on every commit is
   * refused with this code, before it changes anything, until the store is opened again.
   * `store_closed` after {@link close}
   */
  commit<T>(mutate: (state: State) => T): Promise<T>;

  /** Waits for the commits under way, lets go of the folder, and refuses later commits. */
  close(): Promise<void>;
}
