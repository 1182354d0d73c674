import { createHash, hash } from 'node:crypto';

import type { IdOf } from './ids.ts';
import type { State } from './state.ts';

/** Apps keep these ids, so a server that starts again with the same seed must not repeat them. */
const KEPT_BY_APPS: ReadonlySet<string> = new Set(['exec_', 'whev_', 'dlv_']);

/**
 * Returns the next id: `prefix` and 20 lower-case hex digits. The same seed and order of calls give the same
 * ids; those of runs, events and deliveries also depend on the time of the start.
 *
 * @param prefix - with its underscore, for example `exec_`
 */
export function nextId<Prefix extends string>(state: State, prefix: Prefix): IdOf<Prefix>;
export function nextId(state: State, prefix: string): string {
  state.ids.drawn += 1;
  const { ids, startedAt } = state;
  const start = startedAt !== null && KEPT_BY_APPS.has(prefix) ? `:${startedAt}` : '';
  const digest = hash('sha256', `${ids.seed}:${ids.drawn}:${prefix}${start}`);
  return prefix + digest.slice(0, 20);
}

/** Returns a number from 0 to below 1 that depends only on the key and the seed. */
export type KeyedRandom = (key: string) => number;

/** Creates a source of random numbers. The same seed and key give the same number. */
export function seededRandom(seed: number): KeyedRandom {
  return (key) => {
    const digest = createHash('sha256').update(`${seed}:${key}`).digest();
    return digest.readUIntBE(0, 6) / 2 ** 48;
  };
}
