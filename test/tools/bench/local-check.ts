import { once } from 'node:events';

import type { ConformanceOptions } from '@hookproof/conformance';
import { request } from 'undici';

import { atMost, callAll, compareRow, milliseconds } from './bench.ts';
import type { Bench } from './bench.ts';
import { SECRET } from './delivery.ts';
import { forkProgram, startConsumer, startReference, startServer } from './processes.ts';

const ROUNDS = 3;

interface Report {
  readonly checks: number;
  readonly requests: number;
  readonly outcome: string;
}

/** Runs every check of the three sides against local servers. The floor is as many requests to a bare server. */
export const localCheck: Bench = {
  title: 'full local check of API, sender and receiver, process included',
  async run() {
    const reference = await startReference();
    const consumer = await startConsumer();
    const bare = await startServer('bare');
    const { baseUrl, controlUrl, controlToken } = reference.ready;
    const url = consumer.ready.baseUrl;
    const options: ConformanceOptions = {
      baseUrl,
      appUrl: baseUrl,
      control: { url: controlUrl, token: controlToken },
      sender: true,
      receiver: { url, secret: SECRET, observerUrl: `${url}/observer` },
      allowWrites: true,
      allowDeletes: true,
    };
    const first = { name: 'first verdict', values: [] as number[] };
    const whole = { name: 'report', values: [] as number[] };
    const floor = { name: '', values: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { times, report } = await check(options);
      first.values.push(times.first);
      whole.values.push(times.whole);
      const start = performance.now();
      await callAll(report.requests, 8, async () =>
        (await request(bare.ready.baseUrl)).body.dump(),
      );
      floor.values.push(performance.now() - start);
      floor.name = `${report.requests} requests to bare node:http`;
      whole.name = `report of ${report.checks} checks`;
    }
    for (const server of [reference, consumer, bare]) await server.stop();
    return [
      compareRow(first, floor, milliseconds, (_, time) => atMost(1_000, time)),
      compareRow(whole, floor, milliseconds, (_, time) => atMost(15_000, time)),
    ];
  },
};

async function check(options: ConformanceOptions): Promise<{
  readonly times: { readonly first: number; readonly whole: number };
  readonly report: Report;
}> {
  const start = performance.now();
  const child = forkProgram('check', JSON.stringify(options));
  const closed = once(child, 'close');
  await once(child, 'message');
  const first = performance.now() - start;
  const [report] = (await once(child, 'message')) as [Report];
  const whole = performance.now() - start;
  await closed;
  if (report.outcome !== 'conformant') {
    throw new Error(`The outcome must be conformant, got ${report.outcome}.`);
  }
  return { times: { first, whole }, report };
}
