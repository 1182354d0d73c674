import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { median } from './median.ts';

const WARM_UP_ROUNDS = 5;
const ROUNDS = 30;
const BATCH_NANOSECONDS = 10_000_000;

/** What a comparison found. */
export interface Comparison<Name extends string> {
  /** Runs in a second of processor time: median of the rounds. */
  perSecond(name: Name): number;
  /** How many times as fast `name` is as `other`: median of the ratios within each round. */
  ratio(name: Name, other: Name): number;
}

/**
 * Times candidates side by side: each round runs a batch of every one, in an order that moves on by one
 * place, so that whatever else the machine does falls on all alike. Young garbage is collected before each batch,
 * so that nobody pays for what another has left. Nothing is asynchronous.
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
