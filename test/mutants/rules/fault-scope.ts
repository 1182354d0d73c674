import { strict as assert } from 'node:assert';

import type { Fault } from '@hookproof/spec/control';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { ApiCall } from './server-client.ts';

const CHECK = '/v1/auth/check';
const DRAWS = 40;

/** Which requests a planted fault strikes. */
export const faultScopeRules: readonly Rule[] = [
  {
    id: 'fault.operation',
    rule: 'A fault for an operation strikes no other operation.',
    async holds(lab) {
      await tell(lab, { operationId: 'listRuns' }, [['/v1/runs'], ['/v1/runs?limit=1']], [[CHECK]]);
    },
  },
  {
    id: 'fault.key',
    rule: 'A fault for a key strikes no other key, also not one of the same tenant.',
    async holds(lab) {
      const { keys } = await lab.world();
      const reviewer = { key: keys.reviewer };
      await tell(lab, { key: keys.wildcard }, [[CHECK]], [[CHECK, reviewer]]);
    },
  },
  {
    id: 'fault.tenant',
    rule: 'A fault for a tenant strikes all of its keys, and none of another.',
    async holds(lab) {
      const { keys, tenantId } = await lab.world();
      const [reviewer, other] = [{ key: keys.reviewer }, { key: keys.otherTenant }];
      await tell(lab, { tenantId }, [[CHECK], [CHECK, reviewer]], [[CHECK, other]]);
    },
  },
  {
    id: 'fault.method',
    rule: 'A fault for a method strikes no other method.',
    async holds(lab) {
      const run = await lab.run();
      const post = { method: 'POST' } as const;
      await tell(lab, { method: 'POST' }, [[`/v1/runs/${run.id}/cancel`, post]], [[CHECK]]);
    },
  },
  {
    id: 'fault.path',
    rule: 'A fault for a path strikes just this path, with any query.',
    async holds(lab) {
      const { id } = await lab.run();
      const path = `/v1/runs/${id}`;
      await tell(lab, { path }, [[path], [`${path}?a=1`]], [[`${path}/usage`], ['/v1/runs']]);
    },
  },
  {
    id: 'fault.all-named',
    rule: 'A fault strikes only requests that are like everything that it names.',
    async holds(lab) {
      const { keys } = await lab.world();
      const match = { method: 'GET', path: CHECK, key: keys.wildcard };
      await tell(lab, match, [[CHECK]], [['/v1/runs'], [CHECK, { key: keys.reviewer }]]);
    },
  },
  {
    id: 'fault.nth',
    rule: 'nth: only the nth request that matches is struck.',
    async holds(lab) {
      await lab.fault({ match: { path: CHECK }, nth: 3, effect: { status: 500 } });
      await lab.api('/v1/runs');
      assert.deepEqual(await statuses(lab, 5), [200, 200, 500, 200, 200]);
    },
  },
  {
    id: 'fault.times',
    rule: 'times: it strikes so often and then no more.',
    async holds(lab) {
      await lab.fault({ match: {}, times: 2, effect: { status: 500 } });
      assert.deepEqual(await statuses(lab, 4), [500, 500, 200, 200]);
    },
  },
  {
    id: 'fault.for-milliseconds',
    rule: 'forMilliseconds: it strikes until so much time of the clock has passed since it was planted.',
    async holds(lab) {
      await lab.fault({ match: {}, forMilliseconds: 5_000, effect: { status: 500 } });
      await lab.advance(4_999);
      assert.deepEqual(await statuses(lab, 1), [500]);
      await lab.advance(1);
      assert.deepEqual(await statuses(lab, 1), [200]);
    },
  },
  {
    id: 'fault.probability',
    rule: 'probability: it strikes about this share of the requests, none at 0 and all at 1.',
    async holds(lab) {
      for (const [probability, least, most] of [
        [0, 0, 0],
        [0.5, 8, 32],
        [1, DRAWS, DRAWS],
      ] as const) {
        const { id } = await lab.fault({ match: {}, probability, effect: { status: 500 } });
        const hits = (await statuses(lab, DRAWS)).filter((status) => status === 500).length;
        assert.ok(hits >= least && hits <= most, `${hits} of ${DRAWS} at ${probability}`);
        await lab.control('DELETE', `/faults/${id}`);
      }
    },
  },
  {
    id: 'fault.seeded',
    rule: 'probability: the same seed strikes the same requests.',
    async holds(lab) {
      const struck = [lab.start({}), lab.start({})].map(async (starting) => {
        const client = await starting;
        await client.fault({ match: {}, probability: 0.5, effect: { status: 500 } });
        return statuses(client, DRAWS);
      });
      const [first, second] = await Promise.all(struck);
      assert.deepEqual(first, second);
    },
  },
  {
    id: 'fault.first-planted',
    rule: 'Of several that would strike, the one that was planted first does; all count what they match.',
    async holds(lab) {
      await lab.fault({ match: {}, times: 1, effect: { status: 500 } });
      await lab.fault({ match: {}, nth: 2, effect: { status: 409 } });
      await lab.fault({ match: {}, effect: { status: 413 } });
      assert.deepEqual(await statuses(lab, 3), [500, 409, 413]);
    },
  },
  {
    id: 'fault.told',
    rule: 'A fault tells how many requests matched, and which it struck: when, under which request id, how and where.',
    async holds(lab) {
      const { id } = await lab.fault({ match: { path: CHECK }, nth: 2, effect: { status: 503 } });
      await lab.api(CHECK);
      const at = new Date(await lab.now()).toISOString();
      const { headers } = await lab.api(CHECK);
      await lab.api(CHECK);
      const { matched, hits, struck } = await lab.wait<Fault>({ for: 'fault', id, hits: 1 });
      assert.deepEqual([matched, hits], [3, 1]);
      const requestId = headers['x-request-id'];
      assert.deepEqual(only(struck), { at, requestId, method: 'GET', path: CHECK });
    },
  },
  {
    id: 'fault.removed',
    rule: 'What is removed strikes no more; the others stay.',
    async holds(lab) {
      const { id } = await lab.fault({ match: {}, effect: { status: 500 } });
      await lab.fault({ match: {}, effect: { status: 409 } });
      await lab.control('DELETE', `/faults/${id}`);
      assert.deepEqual(await statuses(lab, 1), [409]);
      await lab.control('DELETE', '/faults');
      assert.deepEqual(await statuses(lab, 1), [200]);
    },
  },
  {
    id: 'fault.full',
    rule: 'At most 100 lie in wait at once.',
    async holds(lab) {
      const order = { match: { path: '/none' }, effect: { status: 500 } };
      await Promise.all(Array.from({ length: 100 }, () => lab.fault(order)));
      const { issues } = await lab.refusal('POST', '/faults', order);
      assert.equal(only(issues).code, 'too_many_faults');
    },
  },
  {
    id: 'fault.spent',
    rule: 'Where there is no room, those that are spent give their place up: times, nth and forMilliseconds.',
    async holds(lab) {
      const order = { match: { path: '/none' }, effect: { status: 500 } };
      const limits = [{ times: 1 }, { nth: 1 }, { forMilliseconds: 1_000 }];
      for (const limit of limits) {
        await lab.fault({ ...order, match: { path: CHECK }, effect: { status: 413 }, ...limit });
      }
      await Promise.all(Array.from({ length: 97 }, () => lab.fault(order)));
      await lab.refusal('POST', '/faults', order);
      await statuses(lab, 1);
      await lab.advance(1_000);
      await statuses(lab, 1);
      await Promise.all(limits.map(() => lab.fault(order)));
      const { issues } = await lab.refusal('POST', '/faults', order);
      assert.equal(only(issues).code, 'too_many_faults');
    },
  },
];

type Request = readonly [path: string, call?: ApiCall];

/** Plants a fault and tells whether it strikes the ones and spares the others. */
async function tell(
  lab: Lab,
  match: object,
  struck: readonly Request[],
  spared: readonly Request[],
): Promise<void> {
  await lab.fault({ match, effect: { status: 413 } });
  for (const request of struck) assert.equal((await lab.api(...request)).status, 413, request[0]);
  for (const request of spared)
    assert.notEqual((await lab.api(...request)).status, 413, request[0]);
}

/** Of so many requests, one after another. */
async function statuses(client: Pick<Lab, 'api'>, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let number = 0; number < count; number += 1) found.push((await client.api(CHECK)).status);
  return found;
}
