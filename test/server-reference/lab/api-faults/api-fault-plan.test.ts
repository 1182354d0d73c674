import { expect, test } from 'vitest';

import { ApiFaultPlan } from '../../../../server-reference/src/lab/api-faults/api-fault-plan.ts';
import { MAX_FAULTS, MAX_REPORTED_HITS } from '../../../../server-reference/src/lab/fault-plan.ts';
import type {
  ApiFaultOrder,
  ApiFaultTarget,
} from '../../../../server-reference/src/lab/api-faults/api-fault.ts';
import { seededRandom } from '../../../../server-reference/src/store/seed.ts';

const TARGET: ApiFaultTarget = {
  operationId: 'getRun',
  key: 'hpk_1',
  tenantId: 'tenant_1',
  method: 'GET',
  path: '/v1/runs/exec_1',
};
const EFFECT = { status: 500 } as const;
const NOBODY = { changed: () => {}, removed: () => {} };

/** The requests, counted from 1, that a fault hits; each request comes one second after the last. */
function hitRequests(order: Partial<ApiFaultOrder>, requests: number, seed = 1): number[] {
  const plan = new ApiFaultPlan(seededRandom(seed), NOBODY);
  plan.inject({ match: {}, effect: EFFECT, ...order }, 0);
  const numbers = Array.from({ length: requests }, (_none, index) => index + 1);
  return numbers.filter((number) => plan.apply(TARGET, 'req', (number - 1) * 1000) !== null);
}

test.each<[Partial<ApiFaultOrder>, number[]]>([
  [{}, [1, 2, 3, 4, 5]],
  [{ nth: 3 }, [3]],
  [{ times: 2 }, [1, 2]],
  [{ forMilliseconds: 2500 }, [1, 2, 3]],
  [{ forMilliseconds: 2000 }, [1, 2]],
  [{ probability: 0 }, []],
  [{ probability: 1, times: 1 }, [1]],
  [{ match: { method: 'POST' } }, []],
])('%j hits the requests %j of five', (order, expected) => {
  expect(hitRequests(order, 5)).toEqual(expected);
});

test('a probability hits its share, and the same requests for the same seed', () => {
  const half = hitRequests({ probability: 0.5 }, 2000);
  expect(Math.abs(half.length - 1000)).toBeLessThan(120);
  expect(hitRequests({ probability: 0.5 }, 2000)).toEqual(half);
  expect(hitRequests({ probability: 0.5 }, 2000, 2)).not.toEqual(half);
});

test('the first injected fault that applies decides, and every matching fault counts the request', () => {
  const plan = new ApiFaultPlan(seededRandom(1), NOBODY);
  plan.inject({ match: {}, nth: 2, effect: { status: 500 } }, 0);
  plan.inject({ match: {}, effect: { status: 503 } }, 0);
  const effects = [1, 2, 3].map((now) => plan.apply(TARGET, 'req', now)?.effect.status);
  expect(effects).toEqual([503, 500, 503]);
  expect(plan.list().map(({ matched, hits }) => [matched, hits])).toEqual([
    [3, 1],
    [3, 2],
  ]);
});

test.each([{ times: 1 }, { nth: 1 }, { forMilliseconds: 5 }])(
  'exhausted faults with %j make room, the oldest first',
  (limit) => {
    const removed: string[] = [];
    const plan = new ApiFaultPlan(seededRandom(1), {
      ...NOBODY,
      removed: (id) => removed.push(id),
    });
    const other = { match: { path: '/other' }, effect: EFFECT };
    for (let number = 2; number < MAX_FAULTS; number += 1) plan.inject(other, 0);
    for (let number = 0; number < 2; number += 1) {
      plan.inject({ match: {}, effect: EFFECT, ...limit }, 0);
    }
    expect(plan.room(4)).toBe(0);
    expect(() => plan.inject(other, 4)).toThrow(RangeError);
    for (let number = 0; number < 2; number += 1) plan.apply(TARGET, 'req', 5);
    expect(plan.room(5)).toBe(2);
    expect(plan.list()).toHaveLength(MAX_FAULTS);
    expect(plan.inject(other, 5).id).toBe('fault_101');
    expect(removed).toEqual(['fault_99']);
    expect(plan.inject(other, 5).id).toBe('fault_102');
    expect(plan.room(5)).toBe(0);
  },
);

test('a fault reports its last hits', () => {
  const plan = new ApiFaultPlan(seededRandom(1), NOBODY);
  plan.inject({ match: {}, effect: EFFECT }, 0);
  const count = MAX_REPORTED_HITS + 5;
  for (let number = 1; number <= count; number += 1) plan.apply(TARGET, `req_${number}`, number);
  const [fault = expect.unreachable()] = plan.list();
  expect([fault.hits, fault.recentHits.length]).toEqual([count, MAX_REPORTED_HITS]);
  expect(fault.recentHits.at(-1)?.requestId).toBe(`req_${count}`);
});
