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

/** What went wrong with the store; decide by `code`, show `message`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
