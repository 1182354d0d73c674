import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State } from '../state/state.ts';

/**
 * Stores the state of the server in memory, and a folder store also on disk. {@link createMemoryStore} and
 * {@link openFolderStore} implement it.
 */
export interface Store {
  readonly state: ReadonlyState;

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
  commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;

  /** Waits for pending commits, releases the folder, and refuses later commits. */
  close(): Promise<void>;
}

/**
 * - `store_locked`: another server, in this or another process, has the folder open
 * - `store_corrupt`: neither the data file nor its backup can be read
 * - `store_unsupported_format`: another version of this server wrote the data file
 * - `store_unusable_folder`: the folder cannot be created, read or written
 * - `store_write_failed`: a flush failed, so later commits are refused
 * - `store_bytes_failed`: the bytes of a file could not be written; a later attempt may succeed
 * - `store_closed`: a commit after `close()`
 */
export type StoreErrorCode =
  | 'store_locked'
  | 'store_corrupt'
  | 'store_unsupported_format'
  | 'store_unusable_folder'
  | 'store_write_failed'
  | 'store_bytes_failed'
  | 'store_closed';

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
