import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State } from '../state/state.ts';

/**
 * Stores the state of the server in memory, and a folder store also on disk. {@link createMemoryStore} and
 * {@link openFolderStore} implement it.
 */
export interface Store {
  /** The current state. Change it only in {@link commit}. */
  readonly state: ReadonlyState;

  /** Grows with every commit, and when commits are taken back. While it is unchanged, so is the state. */
  readonly commits: number;

  /**
   * Changes the state and waits until the change is durable.
   *
   * `mutate` runs synchronously, so readers may see the change before it is durable. Respond only after the
   * promise has resolved. Commits during a flush share the next flush. If `mutate` throws, the promise
   * rejects with its error. Changes made before the error are not undone, so throw before you change.
   *
   * @returns the result of `mutate`
   * @throws {StoreError} `store_write_failed` if the flush fails. Then the change is taken back, with every
   * other one that is not durable, and a later commit may succeed. `store_closed` after {@link close}
   */
  commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;

  /** Waits for pending commits, releases the folder, and refuses later commits. */
  close(): Promise<void>;
}

/**
 * - `store_locked`: another server, in this or another process, has the folder open
 * - `store_corrupt`: a file of the folder is not as it was written; the message names the place
 * - `store_unsupported_format`: another version of this server wrote the data file
 * - `store_unusable_folder`: the folder cannot be created, read or written
 * - `store_write_failed`: a flush failed and the change was taken back; a later commit may succeed
 * - `store_bytes_failed`: the bytes of a file could not be written; a later attempt may succeed
 * - `store_full`: the records or bytes that are kept have reached their limit; some must be deleted first
 * - `store_closed`: a commit after `close()`
 */
export type StoreErrorCode =
  | 'store_locked'
  | 'store_corrupt'
  | 'store_unsupported_format'
  | 'store_unusable_folder'
  | 'store_write_failed'
  | 'store_bytes_failed'
  | 'store_full'
  | 'store_closed';

/** Returns whether a commit was taken back because it could not be written, so that it may be tried again. */
export function isWriteFailure(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'store_write_failed';
}

/**
 * An error of the store. Branch on `code`; show `message` to the user.
 *
 * @example
 * ```ts
 * import { createServer, StoreError } from '@hookproof/server-reference';
 *
 * try {
 *   await createServer({ store: { kind: 'folder', path: '/var/lib/hookproof' } });
 * } catch (error) {
 *   if (error instanceof StoreError && error.code === 'store_locked') {
 *     console.error('Stop the other server first.', error.message);
 *   } else throw error;
 * }
 * ```
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
