import type { Store } from './store.ts';

/** So many results are remembered at most; a caller could ask for endlessly many. */
const MOST_RESULTS = 20;

/**
 * Remembers what is computed from the state until the next commit, whatever that one changes.
 *
 * @returns a function that computes, or remembers what it computed for the same `key`
 */
export function untilNextCommit<T>(store: Store): (key: string, compute: () => T) => T {
  const results = new Map<string, T>();
  let commits = store.commits;
  return (key, compute) => {
    if (commits !== store.commits || results.size === MOST_RESULTS) results.clear();
    commits = store.commits;
    const result = results.get(key) ?? compute();
    results.set(key, result);
    return result;
  };
}
