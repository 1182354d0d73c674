import { runConformance, Violation } from '@hookproof/conformance';
import type { Check } from '@hookproof/conformance';

import * as all from './checks.ts';
import { run } from './suite.ts';
import type { Scenario } from './suite.ts';
import { KEY, startTarget } from './target.ts';
import type { SeenRequest, TargetResponse } from './target.ts';

const { check } = all;

/** Verdicts and outcomes, the rules of the gate, and the limits of requests. */
export const judgingScenarios: Readonly<Record<string, Scenario>> = {
  passing: () => run([all.passes]),
  weights: () => run([all.violates, all.advises, all.informs, all.passes]),
  flaky: () => run([all.flaky, all.passes]),
  throwing: () => run([all.throws, all.passes]),
  throwingAndRed: () => run([all.throws, all.violates]),
  hanging: () => run([all.hangs, all.passes]),
  missing: () => run([all.lacksKey, all.lacksControl, all.asksLate, all.passes]),
  notApplicable: () => run([all.doesNotApply]),
  noChecks: () => run([]),
  sneaky: () => run([all.sneaky, all.swallows, all.escapes, all.passes]),
  locked: () => run([all.writes, all.deletes, all.passes]),
  unlocked: () =>
    run([all.writes, all.deletes, all.passes], { allowWrites: true, allowDeletes: true }),
  senderLocked: () =>
    run([all.sends, all.passes], { sender: true, only: ['sender.sends', 'api.passes'] }),
  keyRefused: () =>
    run(
      [all.passes],
      {},
      {
        '/v1/auth/check': { status: 401, body: { issues: [] } },
        '/v1/dataset-review-requests': { status: 401, body: { issues: [] } },
      },
    ),
  notTheApi: () =>
    run(
      [all.passes],
      {},
      {
        '/v1/auth/check': { body: '<h1>Welcome</h1>', headers: { 'content-type': 'text/html' } },
        '/v1/dataset-review-requests': { body: '<h1>Welcome</h1>' },
      },
    ),
  throttled: () =>
    run(
      [all.passes],
      {},
      {
        '/v1/templates': (_request, seen) =>
          seen.filter(({ path }) => path === '/v1/templates').length < 4
            ? { status: 429, headers: { 'retry-after': '0' }, body: { issues: [] } }
            : { body: { items: [], total: 0 } },
      },
    ),
  alwaysThrottled: () =>
    run(
      [all.passes],
      {},
      {
        '/v1/templates': { status: 503, headers: { 'retry-after': '0' }, body: { issues: [] } },
      },
    ),
  longThrottled: () =>
    run(
      [all.passes],
      { fixtures: { templateId: 'template_1' } },
      {
        '/v1/templates': { status: 503, headers: { 'retry-after': '3600' }, body: { issues: [] } },
      },
    ),
  budget: () => run([all.passes, { ...all.passes, id: 'api.passes-too' }], { maxRequests: 4 }),
  budgetOfFailure: () =>
    run(
      [
        all.violates,
        ...Array.from({ length: 20 }, (_, index) => ({ ...all.passes, id: `api.p-${index}` })),
      ],
      { maxRequests: 12 },
    ),
  samples: () => run(['api.one', 'api.two', 'api.three'].map(samplingCheck)),
  secrets: () =>
    run(
      [
        check('api.leaks', async ({ api }) => {
          const { exchange, text } = await api.send({ path: `/v1/echo?key=${KEY}` });
          throw new Violation({ expected: `not ${KEY}`, actual: text, exchange });
        }),
      ],
      {},
      { '/v1/echo': { body: { leaked: echoes(KEY) }, headers: { 'x-key': KEY } } },
    ),
  budgetOfRepeats: () =>
    run(
      [all.passes],
      { maxRequests: 4 },
      {
        '/v1/templates': { status: 503, headers: { 'retry-after': '0' }, body: { issues: [] } },
      },
    ),
  lostConnection: () =>
    run(
      [check('api.lost', async ({ api }) => void (await api.send({ path: '/v1/lost' })))],
      {},
      {
        '/v1/lost': (_request, seen) =>
          seen.filter(({ path }) => path === '/v1/lost').length < 3
            ? { reset: true }
            : { body: {} },
      },
    ),
  stops: () =>
    run(
      [
        all.violates,
        check('api.ends', async ({ api }) => void (await api.send({ path: '/v1/last' }))),
        { ...all.passes, id: 'api.next' },
        all.passes,
      ],
      { concurrency: 1 },
      {
        '/v1/auth/check': whileUp({ tenantId: 'tenant_1' }),
        '/v1/templates': whileUp({ items: [], total: 0 }),
        '/v1/last': { body: {} },
      },
    ),
  async emptyList() {
    const page = { items: [], total: 0, limit: 100, offset: 0 };
    const target = await startTarget({ '/v1/templates': { body: page } });
    try {
      const only = ['api.response.templates'];
      const report = await runConformance({ baseUrl: target.baseUrl, key: KEY, only });
      return { report, seen: target.seen };
    } finally {
      target.close();
    }
  },
  budgetOfOne: () => run([all.passes], { maxRequests: 1 }),
  brokenDiscovery() {
    let readings = 0;
    return run([all.passes], {
      now() {
        readings += 1;
        if (readings > 1) throw new TypeError('a mistake in the clock');
        return 0;
      },
    });
  },
  async unknownRequirement() {
    const wrong: Check = { ...all.passes, requirements: ['inbox.unknown'] };
    return {
      message: await run([wrong]).then(
        () => null,
        ({ message }: Error) => message,
      ),
    };
  },
};

/** Responds until the path `/v1/last` was asked for. */
function whileUp(body: unknown) {
  return (_request: unknown, seen: readonly SeenRequest[]): TargetResponse =>
    seen.some(({ path }) => path === '/v1/last') ? { reset: true } : { body };
}

function samplingCheck(id: string): Check {
  return check(id, async ({ api }) => {
    await api.sample({ path: '/v1/sampled' });
  });
}

function echoes(secret: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(secret);
  return {
    raw: secret,
    upper: secret.toUpperCase(),
    base64: bytes.toString('base64'),
    basic: Buffer.from(`user:${secret}`).toString('base64'),
    shifted: Buffer.from(`x${secret}y`).toString('base64url'),
    hex: bytes.toString('hex'),
    percent: bytes.toString('hex').replace(/../g, '%$&'),
  };
}
