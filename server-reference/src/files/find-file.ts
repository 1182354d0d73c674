import { notFound } from '../app/api-error.ts';
import type { FileRecord } from '../state/file.ts';
import { find } from '../store/find.ts';
import type { State } from '../store/state.ts';

/** A file that is there: a temporary one is gone at the millisecond at which it expires. */
export function findLiveFile(
  state: State,
  id: string,
  nowMilliseconds: number,
): FileRecord | undefined {
  const file = find(state.files, id);
  if (file === undefined || hasExpired(file, nowMilliseconds)) return undefined;
  return file;
}

/** The file that the path names, if it is the tenant's; else 404. */
export function findFile(
  state: State,
  tenantId: string,
  id: string,
  nowMilliseconds: number,
): FileRecord {
  const file = findLiveFile(state, id, nowMilliseconds);
  if (file === undefined || file.tenantId !== tenantId) {
    throw notFound('id', 'no file has this id');
  }
  return file;
}

/** Whether the time of a record is over; a record without one stays. */
export function hasExpired(
  { expiresAt }: { readonly expiresAt: string | null },
  nowMilliseconds: number,
): boolean {
  return expiresAt !== null && nowMilliseconds >= Date.parse(expiresAt);
}
