/**
 * - `store_full`: a bounded store has no room; nothing was written.
 * - `store_unavailable`: the store cannot be read or written now, `cause` says why.
 * - `store_closed`: used before `open()` or after `close()`.
 * - `store_driver_missing`: no SQLite for this version of Node.js is installed.
 */
export const STORE_ERROR_CODES = [
  'store_full',
  'store_unavailable',
  'store_closed',
  'store_driver_missing',
] as const;

/** Stable name of one reason; what each means stands at `STORE_ERROR_CODES`. */
export type StoreErrorCode = (typeof STORE_ERROR_CODES)[number];

/** A store could not do its work. Nothing was acknowledged that is not kept. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
