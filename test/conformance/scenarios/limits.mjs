import { runSuite } from '../../../conformance/dist/run-suite.js';
import { check, requirements } from './checks.mjs';
import { KEY, startTarget } from './target.mjs';

const LIMITS = { rateLimit: null, accounting: 'available' };
const WORLD = { id: 'world_1', tenantId: 'tenant_1', keys: {}, fixtures: {} };
const CONTROL = {
  '/_control/world': { body: WORLD },
  '/_control/clock': { body: { mode: 'real', now: '2026-01-01T00:00:00.000Z' } },
};

/** One run against an API that answers some paths with 429 and 503, and a control interface at the same address. */
async function run(checks, responses = {}) {
  const target = await startTarget({
    '/v1/limited': { status: 429, headers: { 'retry-after': '600' }, body: { issues: [] } },
    '/v1/unavailable': { status: 503, headers: { 'retry-after': '600' }, body: { issues: [] } },
    ...CONTROL,
    ...responses,
  });
  const { baseUrl } = target;
  const control = { url: `${baseUrl}/_control`, token: 'token-of-the-control' };
  try {
    const report = await runSuite(
      { baseUrl, key: KEY, control, allowWrites: true },
      { checks, requirements },
    );
    return { report, seen: target.seen };
  } finally {
    target.close();
  }
}

const writes = { access: 'write', needs: ['control'] };

const limits = check(
  'api.limits',
  async ({ control }) => {
    const before = await control.limits();
    await control.changeLimits({ accounting: 'unavailable' });
    await control.changeLimits(before);
  },
  writes,
);

const plants = check(
  'api.plants',
  ({ control }) => control.injectFault({ tenantId: 'tenant_1', method: 'GET', status: 500 }),
  writes,
);

/** Counts the checks of the run that are in progress at the same time. */
function crowd() {
  const crowded = { now: 0, alone: null };
  const member = (id, more) =>
    check(
      id,
      async ({ api }) => {
        crowded.now += 1;
        if (more?.exclusive === 'always') crowded.alone = crowded.now === 1;
        await api.send({ path: '/v1/templates' });
        if (more?.exclusive === 'always') crowded.alone &&= crowded.now === 1;
        crowded.now -= 1;
      },
      more,
    );
  return {
    crowded,
    checks: [
      member('api.one'),
      member('api.alone', { exclusive: 'always' }),
      member('api.two'),
      member('api.three'),
    ],
  };
}

export const limitScenarios = {
  impatient: () =>
    run([
      check('api.limited', async ({ api }) => {
        const { status } = await api.sendOnce({ path: '/v1/limited' });
        const other = await api.sendOnce({ path: '/v1/unavailable' });
        if (status !== 429 || other.status !== 503) throw new Error(`${status} ${other.status}`);
      }),
    ]),
  controlWithLimits: () =>
    run([limits, plants], {
      '/_control/limits': { body: LIMITS },
      '/_control/faults': { status: 201, body: { id: 'fault_1' } },
    }),
  controlWithoutLimits: () =>
    run([limits, plants], {
      '/_control/limits': { status: 405, body: { issues: [] } },
    }),
  async alone() {
    const { crowded, checks } = crowd();
    const result = await run(checks);
    return { ...result, alone: crowded.alone };
  },
};
