import type { Store } from './store.ts';

/** The record with this id, or undefined. An id such as `__proto__` or `constructor` finds nothing. */
export function find<T>(records: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}

/** The records with these ids, in their order. */
export function recordsOf<T>(ids: readonly string[], records: Readonly<Record<string, T>>): T[] {
  return ids.flatMap((id) => find(records, id) ?? []);
}

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

/** So many results are remembered at most; a caller could ask for endlessly many. */
const MAX_RESULTS = 20;

/**
 * Remembers what is computed from the state until the next commit, whatever that one changes.
 *
 * @returns a function that computes, or remembers what it computed for the same `key`
 */
export function untilNextCommit<T>(store: Store): (key: string, compute: () => T) => T {
  const results = new Map<string, T>();
  let commits = store.commits;
  return (key, compute) => {
    if (commits !== store.commits || results.size === MAX_RESULTS) results.clear();
    commits = store.commits;
    const result = results.get(key) ?? compute();
    results.set(key, result);
    return result;
  };
}
