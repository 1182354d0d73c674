import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State } from '../state/state.ts';

/**
 * Where the server keeps its state: all of it in memory, and for a folder store also on disk.
 * There are two, {@link createMemoryStore} and {@link openFolderStore}; they keep the same promises.
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

  /** Waits for the commits under way, lets go of the folder, and refuses later commits. */
  close(): Promise<void>;
}

/**
 * - `store_locked`: another process, or another server of this one, has the folder open
 * - `store_corrupt`: neither the data file nor its backup can be read
 * - `store_unsupported_format`: the data file is of another version of this server
 * - `store_unusable_folder`: the folder cannot be made, read or written
 * - `store_write_failed`: a flush failed, so nothing more is accepted
 * - `store_bytes_failed`: the bytes of a file could not be kept; later ones may be
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
 * What went wrong with the store; decide by `code`, show `message`.
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
