import type { Check } from '@hookproof/conformance';

import { check } from './checks.ts';
import { runControlled } from './suite.ts';
import type { Scenario, SeenRun } from './suite.ts';
import { KEY } from './target.ts';
import type { TargetResponses } from './target.ts';

const LIMITS = { rateLimit: null, accounting: 'available' };
const WORLD = { id: 'world_1', tenantId: 'tenant_1', keys: {}, fixtures: {} };
const CONTROL = {
  '/_control/world': { body: WORLD },
  '/_control/clock': { body: { mode: 'real', now: '2026-01-01T00:00:00.000Z' } },
};

/** One run against an API that responds to some paths with 429 and 503, and its control interface. */
function run(checks: readonly Check[], responses: TargetResponses = {}): Promise<SeenRun> {
  return runControlled(
    checks,
    { key: KEY, allowWrites: true },
    {
      '/v1/limited': { status: 429, headers: { 'retry-after': '600' }, body: { issues: [] } },
      '/v1/unavailable': { status: 503, headers: { 'retry-after': '600' }, body: { issues: [] } },
      ...CONTROL,
      ...responses,
    },
  );
}

const writes = { access: 'write', needs: ['control'] } as const;

const limits = check(
  'api.limits',
  async ({ control }) => {
    const before = await control.getLimits();
    await control.changeLimits({ accounting: 'unavailable' });
    await control.changeLimits(before);
  },
  writes,
);

const injects = check(
  'api.injects',
  async ({ control }) => {
    await control.injectApiFault({
      match: { tenantId: 'tenant_1', method: 'GET' },
      times: 1,
      effect: { status: 500 },
    });
  },
  writes,
);

/** Checks that record whether the exclusive one runs alone. */
function crowd(): { readonly crowded: { alone: boolean | null }; readonly checks: Check[] } {
  const crowded: { now: number; alone: boolean | null } = { now: 0, alone: null };
  const member = (id: string, more?: Partial<Check>): Check =>
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

export const limitScenarios: Readonly<Record<string, Scenario>> = {
  impatient: () =>
    run([
      check('api.limited', async ({ api }) => {
        const { status } = await api.sendOnce({ path: '/v1/limited' });
        const other = await api.sendOnce({ path: '/v1/unavailable' });
        if (status !== 429 || other.status !== 503) throw new Error(`${status} ${other.status}`);
      }),
    ]),
  controlWithLimits: () =>
    run([limits, injects], {
      '/_control/limits': { body: LIMITS },
      '/_control/api-faults': ({ method }) =>
        method === 'GET'
          ? { body: { data: [{ id: 'fault_1', match: { tenantId: 'tenant_1' } }] } }
          : { status: 201, body: { id: 'fault_1' } },
      '/_control/api-faults/fault_1': { status: 204, body: '' },
    }),
  controlWithoutLimits: () =>
    run([limits, injects], {
      '/_control/limits': { status: 405, body: { issues: [] } },
    }),
  async alone() {
    const { crowded, checks } = crowd();
    const result = await run(checks);
    return { ...result, alone: crowded.alone };
  },
};
