import type { Store } from './store.ts';

/** Returns the record with this id, or undefined. Safe for ids such as `__proto__` and `constructor`. */
export function find<T>(records: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}

/** Returns the records with these ids, in the order of the ids. Unknown ids are skipped. */
export function recordsOf<T>(ids: readonly string[], records: Readonly<Record<string, T>>): T[] {
  return ids.flatMap((id) => find(records, id) ?? []);
}

interface Listed<I extends string = string, Owner extends string = string> {
  readonly id: I;
  readonly tenantId: Owner;
  readonly createdAt: string;
}

/**
 * Adds a record, and its id to the list of its tenant: newest first, then by id. A page of the list is then
 * a slice.
 *
 * @param listed - ids per tenant, as in `state.listed`
 */
export function listNewestFirst<I extends string, Owner extends string, T extends Listed<I, Owner>>(
  record: T,
  records: Record<I, T>,
  listed: Record<Owner, I[]>,
): void {
  records[record.id] = record;
  const ids = (listed[record.tenantId] ??= []);
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = find<T>(records, ids[middle] ?? '');
    if (other !== undefined && comesBefore(other, record)) low = middle + 1;
    else high = middle;
  }
  ids.splice(low, 0, record.id);
}

function comesBefore(one: Listed, other: Listed): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt;
  return one.id < other.id;
}

/** Bounds the cache, because callers choose the keys. */
const MAX_RESULTS = 20;

/**
 * Returns a cache for results computed from the state. Every commit clears it.
 *
 * @returns a function that returns the cached result for `key`, or computes and caches it
 */
export function cacheUntilCommit<T>(store: Store): (key: string, compute: () => T) => T {
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
