import { find } from './find.ts';

interface Listed {
  readonly id: string;
  readonly tenantId: string;
  readonly createdAt: string;
}

/**
 * Puts a record into the lists of its kind: newest first, and by id where the times are equal. A page
 * of a list is then a slice, whatever the number of records.
 *
 * @param listed - ids per tenant, as in `state.listed`
 */
export function listNewestFirst<T extends Listed>(
  record: T,
  records: Record<string, T>,
  listed: Record<string, string[]>,
): void {
  records[record.id] = record;
  const ids = (listed[record.tenantId] ??= []);
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = find(records, ids[middle] ?? '');
    if (other !== undefined && comesBefore(other, record)) low = middle + 1;
    else high = middle;
  }
  ids.splice(low, 0, record.id);
}

function comesBefore(one: Listed, other: Listed): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt;
  return one.id < other.id;
}
