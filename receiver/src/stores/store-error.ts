/**
 * Lists the codes of a `StoreError`:
 *
 * - `store_full`: a bounded store has no room; nothing was written.
 * - `store_unavailable`: the store cannot be read or written now; `cause` says why.
 * - `store_closed`: an operation before `open()` or after `close()`.
 * - `lease_lost`: another process has the event that `settleWith()` should settle.
 * - `store_driver_missing`: no SQLite for this version of Node.js is installed.
 * - `store_schema_mismatch`: the tables are of a newer release of this package, or of another
 *   program.
 *
 * @example
 * ```ts
 * import { STORE_ERROR_CODES } from '@hookproof/receiver';
 *
 * export const failures = new Map(STORE_ERROR_CODES.map((code) => [code, 0]));
 * ```
 */
export const STORE_ERROR_CODES = [
  'store_full',
  'store_unavailable',
  'store_closed',
  'lease_lost',
  'store_driver_missing',
  'store_schema_mismatch',
] as const;

/** Stable name of one reason; `STORE_ERROR_CODES` explains each. */
export type StoreErrorCode = (typeof STORE_ERROR_CODES)[number];

/**
 * Reports that a store could not do its work; `code` is the reason. The event that failed was not
 * accepted.
 *
 * @example
 * ```ts
 * import { StoreError } from '@hookproof/receiver';
 *
 * export function refuseWhenFull(kept: number): void {
 *   if (kept >= 1000) throw new StoreError('store_full', 'The queue must hold up to 1000 events.');
 * }
 * ```
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** What failed, stable between releases. */
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
