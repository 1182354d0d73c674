import type { ReadonlyState } from '../state/state.ts';
import { StoreError } from './store.ts';

const MEBIBYTE = 1_048_576;

/** What the records that no prune deletes may have: open runs, pending deliveries, datasets, files and keys. */
export const MAX_KEPT_BYTES: number = 256 * MEBIBYTE;

/** What their large values may have. */
export const MAX_LARGE_KEPT_BYTES_IN_MEMORY: number = 1_024 * MEBIBYTE;
export const MAX_LARGE_KEPT_BYTES_ON_DISK: number = 8_192 * MEBIBYTE;

/** The sizes are read once per this number of calls while there is room, because that updates the indexes. */
export const CALLS_BETWEEN_CHECKS = 16;

/** The first call after a start reads them too. */
const callsUntilCheck = new WeakMap<ReadonlyState, number>();

/**
 * Refuses what adds records that no prune deletes, while those that exist have reached their bytes. Each operation
 * that adds such records calls it first. Its cost does not depend on the number of records.
 *
 * @throws {StoreError} `store_full`
 */
export function refuseFull(state: ReadonlyState): void {
  const left = callsUntilCheck.get(state) ?? 0;
  callsUntilCheck.set(state, Math.max(0, left - 1));
  if (left > 0) return;
  refuseBeyond(state, 0);
  callsUntilCheck.set(state, CALLS_BETWEEN_CHECKS - 1);
}

/**
 * Refuses records of about this size, if there is no room for them.
 *
 * @throws {StoreError} `store_full`
 */
export function refuseBeyond(state: ReadonlyState, addedBytes: number): void {
  let kept = addedBytes;
  let large = 0;
  for (const { size } of state.kept) {
    kept += size.bytes;
    large += size.largeBytes;
  }
  const maxLarge = state.hasLargeValuesOnDisk
    ? MAX_LARGE_KEPT_BYTES_ON_DISK
    : MAX_LARGE_KEPT_BYTES_IN_MEMORY;
  if (kept < MAX_KEPT_BYTES && large < maxLarge) return;
  throw new StoreError(
    'store_full',
    `The records that are kept must have less than ${MAX_KEPT_BYTES} bytes and ${maxLarge} bytes of large values, got ${kept} and ${large}. Delete files or examples, or end runs.`,
  );
}
