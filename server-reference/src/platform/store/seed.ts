import { createHash, hash } from 'node:crypto';

import type { IdOf } from '../state/ids.ts';
import type { State } from '../state/state.ts';

/**
 * Returns the next id: `prefix` and 20 lower-case hex digits. The same seed and order of calls give the same
 * ids.
 *
 * @param prefix - with its underscore, for example `run_`
 */
export function nextId<Prefix extends string>(state: State, prefix: Prefix): IdOf<Prefix>;
export function nextId(state: State, prefix: string): string {
  state.ids.drawn += 1;
  const digest = hash('sha256', `${state.ids.seed}:${state.ids.drawn}:${prefix}`);
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
