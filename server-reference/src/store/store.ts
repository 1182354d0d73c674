import type { DeepReadonly } from './read-only.ts';
import type { ReadonlyState, State } from './state.ts';

/** The state of the server. `openStorage` opens it in memory or in a folder. */
export interface Store {
  /** The current state. Change it only in {@link commit}. */
  readonly state: ReadonlyState;

  /**
   * Changes the state in memory, and waits until the change is written. Commits that arrive during a write
   * share the next one.
   *
   * `mutate` runs synchronously, so readers may see the change before it is written. Respond only after the promise
   * has resolved. If `mutate` throws, the promise rejects with its error. Changes made before the error are not rolled
   * back, so throw before you change.
   *
   * @returns the result of `mutate`
   * @throws {StoreError} `store_write_failed` if the write fails. The change stays in memory, and the next write has it. `store_closed` after {@link close}
   */
  commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;

  /** Writes what is not written yet, releases the folder, and refuses later commits. */
  close(): Promise<void>;
}

/**
 * - `store_locked`: another server, in this or another process, has the folder open
 * - `store_corrupt`: the data file is damaged; the message names the line
 * - `store_unsupported_format`: another version of this server wrote the folder
 * - `store_unusable_folder`: the folder cannot be created, read or written
 * - `store_write_failed`: a write failed; the change stays in memory and is written with the next one
 * - `store_closed`: a commit after `close()`
 */
export type StoreErrorCode =
  | 'store_locked'
  | 'store_corrupt'
  | 'store_unsupported_format'
  | 'store_unusable_folder'
  | 'store_write_failed'
  | 'store_closed';

/** Returns whether a commit was rejected because the state could not be written. */
export function isWriteFailure(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'store_write_failed';
}

/** Returns why something failed, for the message of a {@link StoreError}. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
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
