import { createHash } from 'node:crypto';

/** A number from 0 to below 1 that depends on nothing but its key, whatever the order of the draws. */
export type KeyedRandom = (key: string) => number;

/** The same seed gives the same number for the same key. */
export function seededRandom(seed: number): KeyedRandom {
  return (key) => {
    const digest = createHash('sha256').update(`${seed}:${key}`).digest();
    return digest.readUIntBE(0, 6) / 2 ** 48;
  };
}
