/** Runs one app: `main.js APP DATABASE_URL`. It sends its rates, and ends. */
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import type { SignedDelivery } from '@hookproof/receiver/testing';

import { callAll } from '../../bench.ts';
import { SECRET } from '../../delivery.ts';
import { APPS, isAppName } from './apps.ts';

export interface Rates {
  /** Events a second, until the response for the last one. */
  readonly accepted: number;
  /** Events a second, until the last one is handled. */
  readonly handled: number;
  /** Processor time of the app, in microseconds an event. */
  readonly processor: number;
}

const RUNS = 1_000;
const CALLERS = 64;
const STATUSES = ['created', 'pending', 'running', 'completed'] as const;

/**
 * Runs go on side by side, as many as there are callers: the first events of all, then the second
 * ones.
 */
function deliveries(runs: number): readonly SignedDelivery[] {
  const all = Array.from({ length: runs }, () => {
    const output = 'x'.repeat(500);
    return runTimeline(STATUSES, { run: { id: `exec_${crypto.randomUUID()}`, output } });
  });
  const events = [];
  for (let start = 0; start < runs; start += CALLERS) {
    const together = all.slice(start, start + CALLERS);
    for (const place of STATUSES.keys())
      events.push(...together.flatMap((run) => run[place] ?? []));
  }
  return events.map((event) => signEvent(event, { secret: SECRET }));
}

function nothing(): void {}

async function measure(): Promise<Rates> {
  const [name, url = ''] = process.argv.slice(2);
  if (!isAppName(name))
    throw new Error(`The app must be one of these: ${Object.keys(APPS).join(', ')}.`);
  let count = 0;
  let left = 0;
  let done = nothing;
  const app = await APPS[name](url, () => {
    count += 1;
    if (count === left) done();
  });
  const run = async (given: readonly SignedDelivery[]): Promise<Rates> => {
    count = 0;
    left = given.length;
    const handled = new Promise<void>((resolve) => (done = resolve));
    const processor = process.cpuUsage();
    const start = performance.now();
    const accepted = await callAll(given.length, CALLERS, async (index) => {
      const delivery = given[index];
      if (delivery !== undefined) await app.receive(delivery);
    });
    await handled;
    const milliseconds = performance.now() - start;
    const { user, system } = process.cpuUsage(processor);
    return {
      accepted: accepted.rate,
      handled: (given.length * 1_000) / milliseconds,
      processor: (user + system) / given.length,
    };
  };
  await run(deliveries(RUNS / 10));
  const rates = await run(deliveries(RUNS));
  await app.close();
  return rates;
}

process.send?.(await measure(), () => process.exit());
