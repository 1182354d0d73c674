import type { Series } from './bench.ts';

const WARM_UP_ROUNDS = 5;
const ROUNDS = 30;
const BATCH_MICROSECONDS = 10_000;

/**
 * Returns the calls per second of processor time of each action, by its name. A round runs a batch of every action and
 * rotates their order, so that other load on the machine affects all equally. All work is synchronous.
 */
export function processorRates<Name extends string>(
  actions: Readonly<Record<Name, () => unknown>>,
): Record<Name, Series> {
  const names = Object.keys(actions) as Name[];
  const batches = new Map(names.map((name) => [name, batchSize(actions[name])]));
  const rates = {} as Record<Name, Series>;
  for (const name of names) rates[name] = { name, values: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const name of names) {
      const batch = batches.get(name) ?? 1;
      const rate = (batch * 1e6) / microseconds(actions[name], batch);
      if (round >= 0) rates[name].values.push(rate);
    }
    names.push(...names.splice(0, 1));
  }
  return rates;
}

function batchSize(run: () => unknown): number {
  let size = 1;
  while (microseconds(run, size) < BATCH_MICROSECONDS) size *= 2;
  return size;
}

/** Processor time of this process, to which other programs do not add. */
function microseconds(run: () => unknown, times: number): number {
  const start = process.cpuUsage();
  for (let index = 0; index < times; index += 1) run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
