import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { median } from './median.ts';

const WARM_UP_ROUNDS = 5;
const ROUNDS = 30;
const BATCH_NANOSECONDS = 10_000_000;

/** The result of a comparison. */
export interface Comparison<Name extends string> {
  /** Calls per second of processor time, as the median of the rounds. */
  perSecond(name: Name): number;
  /** Speed of `name` relative to `other`, as the median of the ratios of all rounds. */
  ratio(name: Name, other: Name): number;
}

/**
 * Compares the speed of candidates. Each round runs a batch of every candidate and rotates their order, so
 * that other load on the machine affects all equally. Young garbage is collected before each batch, so that a
 * candidate does not pay for the garbage of another. All work is synchronous.
 *
 * @param processorTime Processor time used so far, in nanoseconds; other programs do not add to it.
 */
export function compare<Name extends string>(
  candidates: Readonly<Record<Name, () => unknown>>,
  processorTime: () => number,
): Comparison<Name> {
  const timeOf = (run: () => unknown, times: number): number => {
    collect({ type: 'minor' });
    const start = processorTime();
    for (let index = 0; index < times; index += 1) run();
    return processorTime() - start;
  };
  const batchSize = (run: () => unknown): number => {
    let size = 1;
    while (timeOf(run, size) < BATCH_NANOSECONDS && size < 1e7) size *= 2;
    return size;
  };
  const entries = (Object.keys(candidates) as Name[]).map((name) => {
    const run = candidates[name];
    return { name, run, batch: batchSize(run), nanoseconds: [] as number[] };
  });
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const place of entries.keys()) {
      const entry = entries[(place + round + WARM_UP_ROUNDS) % entries.length];
      const time = entry === undefined ? 0 : timeOf(entry.run, entry.batch) / entry.batch;
      if (round >= 0) entry?.nanoseconds.push(time);
    }
  }
  const timesOf = (name: Name): readonly number[] =>
    entries.find((entry) => entry.name === name)?.nanoseconds ?? [];
  return {
    perSecond: (name) => 1e9 / median(timesOf(name)),
    ratio(name, other) {
      const others = timesOf(other);
      return median(timesOf(name).map((time, round) => (others[round] ?? Number.NaN) / time));
    },
  };
}

setFlagsFromString('--expose-gc');
const collect: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');
