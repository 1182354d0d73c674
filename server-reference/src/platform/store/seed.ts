import { createHash, hash } from 'node:crypto';

import type { State } from '../state/state.ts';

/**
 * Draws the next id: `prefix` and 20 lower-case hex digits. The same seed and the same order of
 * draws give the same ids.
 *
 * @param prefix - with its underscore, for example `run_`
 */
export function nextId(state: State, prefix: string): string {
  state.ids.drawn += 1;
  const digest = hash('sha256', `${state.ids.seed}:${state.ids.drawn}:${prefix}`);
  return prefix + digest.slice(0, 20);
}

/** A number from 0 to below 1 that depends on nothing but its key, whatever the order of the draws. */
export type KeyedRandom = (key: string) => number;

/** The same seed gives the same number for the same key. */
export function seededRandom(seed: number): KeyedRandom {
  return (key) => {
    const digest = createHash('sha256').update(`${seed}:${key}`).digest();
    return digest.readUIntBE(0, 6) / 2 ** 48;
  };
}
