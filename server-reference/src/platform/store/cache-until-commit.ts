import type { Store } from './store.ts';

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
