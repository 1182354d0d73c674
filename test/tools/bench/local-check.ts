import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { ConformanceOptions } from '@hookproof/conformance';
import { request } from 'undici';

import { atMost, callAll, compareRow, milliseconds } from './bench.ts';
import type { Bench } from './bench.ts';
import { SECRET } from './delivery.ts';
import { startProgram, startReference } from './processes.ts';

const ROUNDS = 3;

interface Report {
  readonly kind: string;
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
    const bare = await startProgram('bare');
    const { baseUrl, controlUrl, controlToken } = reference.ready;
    const options: ConformanceOptions = {
      baseUrl,
      appUrl: baseUrl,
      control: { url: controlUrl, token: controlToken },
      sender: true,
      receiver: {
        url: consumer.baseUrl,
        secret: SECRET,
        observerUrl: `${consumer.baseUrl}/observer`,
      },
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
      compareRow(first, floor, milliseconds, (_, time) => atMost(1_500, time)),
      compareRow(whole, floor, milliseconds, (_, time) => atMost(10_000, time)),
    ];
  },
};

/** Starts the example of a consumer, which lists the events that it handled at `/observer`. */
async function startConsumer() {
  const program = new URL('../../../../receiver/examples/dist/consumer/main.js', import.meta.url);
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env: { WEBHOOK_SECRET: SECRET, DATABASE_FILE: ':memory:', GAP_GRACE_MILLISECONDS: '500' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { listening: baseUrl }: { listening: string } = JSON.parse(line);
  child.stdout.resume();
  return { baseUrl, stop: () => child.kill() };
}

async function check(options: ConformanceOptions): Promise<{
  readonly times: { readonly first: number; readonly whole: number };
  readonly report: Report;
}> {
  const start = performance.now();
  const program = fileURLToPath(new URL('programs/check/main.js', import.meta.url));
  const child = fork(program, [JSON.stringify(options)]);
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
