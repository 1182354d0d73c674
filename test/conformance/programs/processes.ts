import { Worker } from 'node:worker_threads';

import { RunInProgress } from '@hookproof/conformance';
import type { Check, ConformanceOptions, Progress } from '@hookproof/conformance';

import * as all from './checks.ts';
import { run, runChecks } from './suite.ts';
import type { Scenario, SeenRun } from './suite.ts';
import { KEY, startTarget } from './target.ts';
import type { TargetResponses } from './target.ts';

const { check } = all;
const RECEIVER_SECRET = 'whsec_0123456789abcdef';

/** Order, rate, progress, receivers, and several runs. */
export const processScenarios: Readonly<Record<string, Scenario>> = {
  async workers() {
    const outcomes = await Promise.all([inWorker(), inWorker()]);
    return { outcomes };
  },
  async twoAtOnce() {
    const [first, second] = await Promise.allSettled([run([all.passes]), run([all.passes])]);
    const third = await run([all.passes]);
    return {
      first: first.status,
      second: second.status === 'rejected' ? errorOf(second.reason) : null,
      third: third.report.outcome,
    };
  },
  async afterHarness() {
    const outcomes: number[] = [];
    for (let round = 0; round < 3; round += 1)
      outcomes.push((await run([all.passes])).report.counts.pass);
    return { outcomes };
  },
  rejection: () =>
    run(
      [
        check('api.rejects', async () => {
          void Promise.reject(new Error('an unhandled error'));
          await new Promise((resolve) => setImmediate(resolve));
        }),
      ],
      { rejections: process },
    ),
  async exclusive() {
    const events: string[] = [];
    const stepping = (id: string, more: Partial<Check>): Check =>
      check(
        id,
        async () => {
          events.push(`${id} begins`);
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
          events.push(`${id} ends`);
        },
        more,
      );
    const result = await run([
      stepping('api.a', { exclusive: 'without-worlds' }),
      stepping('api.b', { exclusive: 'without-worlds' }),
      stepping('api.c', { exclusive: 'on-virtual-clock' }),
      stepping('api.d', {}),
    ]);
    return { ...result, events };
  },
  async progress() {
    const events: Progress[] = [];
    await run([all.passes, all.lacksKey], { onProgress: (event) => events.push(event) });
    return { events };
  },
  progressThrows: () =>
    run([all.passes], {
      onProgress() {
        throw new Error('a mistake in the listener');
      },
    }),
  slowReceiver: () =>
    runReceiver(
      [
        check(
          'receiver.delivers',
          async ({ receiver }) => {
            for (let sent = 0; sent < 4; sent += 1)
              await receiver.deliver({ headers: [], body: '{}' });
          },
          { side: 'receiver', needs: ['receiver'], timeoutMilliseconds: 1_000 },
        ),
      ],
      { '/hook': { status: 204, delayMilliseconds: 300 } },
    ),
  receiving: () =>
    run(
      [
        check(
          'receiver.delivers',
          async ({ receiver }) => {
            const { status } = await receiver.deliver({
              headers: [
                ['webhook-id', 'a'],
                ['webhook-id', 'b'],
                ['content-type', 'application/json'],
              ],
              body: '{}',
            });
            const observed = await receiver.observe();
            if (status !== 429 || observed.status !== 200) throw new Error('unexpected');
          },
          { side: 'receiver', needs: ['receiver', 'receiver.observer'] },
        ),
      ],
      (baseUrl) => ({
        receiver: {
          url: `${baseUrl}/hook?token=query-token-0123`,
          secret: RECEIVER_SECRET,
          observerUrl: `${baseUrl}/observer`,
        },
      }),
      {
        '/hook': { status: 429, headers: { 'retry-after': '60' }, body: {} },
        '/observer': { body: { handled: [] } },
      },
    ),
  async pacedReceiver() {
    const events: string[] = [];
    const delivering = (id: string): Check =>
      check(
        id,
        async ({ receiver }) => {
          events.push(`${id} begins`);
          await receiver.deliver({ headers: [], body: '{}' });
          events.push(`${id} ends`);
        },
        { side: 'receiver', needs: ['receiver'] },
      );
    const result = await runReceiver(
      [delivering('receiver.a'), delivering('receiver.b')],
      { '/hook': { status: 204, body: '' } },
      { requestsPerSecond: 20 },
    );
    return { ...result, events };
  },
  paced: () => run([all.passes], { requestsPerSecond: 20 }),
  async closedPort() {
    const target = await startTarget();
    target.close();
    return {
      report: await runChecks([all.passes], { baseUrl: target.baseUrl, key: KEY }),
    };
  },
};

/** Runs checks against a receiver at `/hook` of a new target. */
function runReceiver(
  checks: readonly Check[],
  responses: TargetResponses,
  options: ConformanceOptions = {},
): Promise<SeenRun> {
  const given = (baseUrl: string): ConformanceOptions => ({
    receiver: { url: `${baseUrl}/hook`, secret: RECEIVER_SECRET },
    ...options,
  });
  return run(checks, given, responses);
}

function inWorker(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.js', import.meta.url));
    worker.once('message', resolve).once('error', reject);
  });
}

function errorOf(reason: unknown): object {
  if (!(reason instanceof RunInProgress)) throw reason;
  return { code: reason.code, message: reason.message };
}
