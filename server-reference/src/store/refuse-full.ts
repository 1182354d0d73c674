import type { ReadonlyState } from './state.ts';
import { StoreError } from './store.ts';

/** The size of the data file from which nothing may be added: it bounds the cost of a write. */
export const MAX_FILE_BYTES = 134_217_728;

/**
 * Refuses what adds records while the data file has reached its maximum size. Each operation that adds records calls
 * it first. Deletions and the ends of runs do not call it.
 *
 * @param addedBytes - about the size of what is added. Default 0
 * @throws {StoreError} `store_full`
 */
export function refuseFull({ fileBytes }: ReadonlyState, addedBytes: number = 0): void {
  if (fileBytes + addedBytes < MAX_FILE_BYTES) return;
  throw new StoreError(
    'store_full',
    `The data file must have less than ${MAX_FILE_BYTES} bytes, got ${fileBytes + addedBytes}. Delete worlds, files or dataset examples, or start the server with a smaller historyLimit.`,
  );
}
