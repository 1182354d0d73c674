import { Worker } from 'node:worker_threads';

import { runSuite } from '../../../conformance/dist/run-suite.js';
import * as all from './checks.mjs';
import { KEY, startTarget } from './target.mjs';

const { check, requirements } = all;

/** Runs checks against a target of its own; gives the report and what the target saw. */
async function run(checks, options = {}, responses = {}) {
  const target = await startTarget(responses);
  try {
    const report = await runSuite(
      { baseUrl: target.baseUrl, key: KEY, ...options },
      { checks, requirements },
    );
    return { report, seen: target.seen };
  } finally {
    target.close();
  }
}

/** Every way in which a run of the suite can go, by name; each gives something that JSON can hold. */
export const scenarios = {
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
  async closedPort() {
    const target = await startTarget();
    target.close();
    return {
      report: await runSuite(
        { baseUrl: target.baseUrl, key: KEY },
        { checks: [all.passes], requirements },
      ),
    };
  },
  throttled: () =>
    run(
      [all.passes],
      {},
      {
        '/v1/templates': (request, seen) =>
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
  discovery: () =>
    run([
      check(
        'api.discovered',
        async ({ fixture, api }) => {
          await api.send({ path: `/v1/${fixture('openReviewId')}/${fixture('closedReviewId')}` });
        },
        { needs: ['key.main', 'fixture.openReviewId', 'fixture.closedReviewId'] },
      ),
      check('api.not-discovered', async () => {}, { needs: ['fixture.draftReviewId'] }),
    ]),
  samples: () => run(['api.one', 'api.two', 'api.three'].map(samplingCheck)),
  secrets: () =>
    run(
      [
        check('api.leaks', async ({ api }) => {
          const { exchange, text } = await api.send({ path: `/v1/echo?key=${KEY}` });
          const { Violation } = await import('../../../conformance/dist/verdict/findings.js');
          throw new Violation({ expected: `not ${KEY}`, actual: text, exchange });
        }),
      ],
      {},
      { '/v1/echo': { body: { leaked: echoes(KEY) }, headers: { 'x-key': KEY } } },
    ),
  controlReadOnly: () =>
    runControlled(
      [
        check(
          'api.uses-world',
          async ({ fixture }) => {
            if (fixture('openReviewId') !== 'review_of_the_world')
              throw new Error('another review');
          },
          { needs: ['key.reviewer', 'fixture.openReviewId', 'control.virtual-clock'] },
        ),
        check(
          'api.sneaks-a-run',
          async ({ control: client }) => {
            await client.createRun();
          },
          { needs: ['control'] },
        ),
      ],
      {},
    ),
  controlUnlocked: () =>
    runControlled(
      [
        check(
          'sender.makes-a-run',
          async ({ control: client }) => {
            const { id } = await client.createRun({ status: 'pending' });
            if ((await client.waitForRun(id, { status: 'completed' })) !== null)
              throw new Error('?');
          },
          { side: 'sender', access: 'write', needs: ['control'] },
        ),
      ],
      { sender: true, allowWrites: true },
    ),
  controlRefused: () =>
    runControlled(
      [all.passes, all.lacksControl],
      {},
      control({
        '/_control/clock': { status: 401, body: { issues: [] } },
      }),
    ),
  worldOfAnother: () =>
    runControlled(
      [
        check('api.needs-world', async () => {}, { needs: ['fixture.openReviewId', 'key.ocr'] }),
        all.passes,
      ],
      { key: 'key-of-my-own-012' },
      control({
        '/_control/world': { body: { ...WORLD, tenantId: 'tenant_9' } },
        '/v1/dataset-review-requests': { body: { data: [] } },
      }),
    ),
  async receiving() {
    const target = await startTarget({
      '/hook': { status: 429, headers: { 'retry-after': '60' }, body: {} },
      '/observer': { body: { handled: [] } },
    });
    try {
      const checks = [
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
      ];
      const receiver = {
        url: `${target.baseUrl}/hook?token=query-token-0123`,
        secret: 'whsec_0123456789abcdef',
        observerUrl: `${target.baseUrl}/observer`,
      };
      return { report: await runSuite({ receiver }, { checks, requirements }), seen: target.seen };
    } finally {
      target.close();
    }
  },
  async senderOnly() {
    const target = await startTarget(control());
    try {
      const options = {
        sender: true,
        allowWrites: true,
        control: { url: `${target.baseUrl}/_control/`, token: 'token-of-the-control' },
      };
      return {
        report: await runSuite(options, { checks: [all.sends, all.passes], requirements }),
        seen: target.seen,
      };
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
  async pacedReceiver() {
    const target = await startTarget({ '/hook': { status: 204, body: '' } });
    const events = [];
    const delivering = (id) =>
      check(
        id,
        async ({ receiver }) => {
          events.push(`${id} begins`);
          await receiver.deliver({ headers: [], body: '{}' });
          events.push(`${id} ends`);
        },
        { side: 'receiver', needs: ['receiver'] },
      );
    try {
      const receiver = { url: `${target.baseUrl}/hook`, secret: 'whsec_0123456789abcdef' };
      const report = await runSuite(
        { receiver, requestsPerSecond: 20 },
        { checks: [delivering('receiver.a'), delivering('receiver.b')], requirements },
      );
      return { report, events };
    } finally {
      target.close();
    }
  },
  paced: () => run([all.passes], { requestsPerSecond: 20 }),
  progressThrows: () =>
    run([all.passes], {
      onProgress() {
        throw new Error('a mistake in the listener');
      },
    }),
  async unknownRequirement() {
    const wrong = { ...all.passes, requirements: ['inbox.unknown'] };
    return {
      message: await run([wrong]).then(
        () => null,
        ({ message }) => message,
      ),
    };
  },
  async workers() {
    const outcomes = await Promise.all([inWorker(), inWorker()]);
    return { outcomes };
  },
  async exclusive() {
    const events = [];
    const stepping = (id, exclusive) =>
      check(
        id,
        async () => {
          events.push(`${id} begins`);
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
          events.push(`${id} ends`);
        },
        { exclusive },
      );
    const result = await run([
      stepping('api.a', 'without-worlds'),
      stepping('api.b', 'without-worlds'),
      stepping('api.c', 'on-virtual-clock'),
      stepping('api.d', undefined),
    ]);
    return { ...result, events };
  },
  async twoAtOnce() {
    const [first, second] = await Promise.allSettled([run([all.passes]), run([all.passes])]);
    const third = await run([all.passes]);
    return {
      first: first.status,
      second: { code: second.reason?.code, message: second.reason?.message },
      third: third.report.outcome,
    };
  },
  rejection: () =>
    run(
      [
        check('api.rejects', async () => {
          void Promise.reject(new Error('nobody waited for this'));
          await new Promise((resolve) => setImmediate(resolve));
        }),
      ],
      { rejections: process },
    ),
  async afterHarness() {
    const outcomes = [];
    for (let round = 0; round < 3; round += 1)
      outcomes.push((await run([all.passes])).report.counts.pass);
    return { outcomes };
  },
  async progress() {
    const events = [];
    await run([all.passes, all.lacksKey], { onProgress: (event) => events.push(event) });
    return { events };
  },
};

function inWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.mjs', import.meta.url));
    worker.once('message', resolve).once('error', reject);
  });
}

function samplingCheck(id) {
  return check(id, async ({ api }) => {
    await api.sample({ path: '/v1/sampled' });
  });
}

const WORLD = {
  id: 'world_1',
  tenantId: 'tenant_1',
  keys: {
    wildcard: KEY,
    reviewer: 'key-of-a-reviewer-01',
    ocr: 'key-of-the-scanner-1',
    workflow: 'key-of-a-builder-012',
    otherTenant: 'key-of-another-tenant',
  },
  fixtures: { openReviewId: 'review_of_the_world' },
};

function control(more = {}) {
  return {
    '/_control/world': { body: WORLD },
    '/_control/worlds': { status: 201, body: { ...WORLD, id: 'world_2' } },
    '/_control/clock': { body: { mode: 'virtual', now: '2026-01-01T00:00:00.000Z' } },
    '/_control/runs': { status: 201, body: { id: 'run_1', status: 'pending' } },
    '/_control/wait': { status: 408, body: { issues: [] } },
    ...more,
  };
}

/** Like `run`, with the control interface at the same address and no key given. */
async function runControlled(checks, options, responses = control()) {
  const target = await startTarget(responses);
  try {
    const report = await runSuite(
      {
        baseUrl: target.baseUrl,
        control: { url: `${target.baseUrl}/_control`, token: 'token-of-the-control' },
        ...options,
      },
      { checks, requirements },
    );
    return { report, seen: target.seen };
  } finally {
    target.close();
  }
}

function echoes(secret) {
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
