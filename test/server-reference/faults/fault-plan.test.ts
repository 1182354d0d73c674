import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  HITS_TOLD,
  MOST_FAULTS,
  createFaultPlan,
} from '../../../server-reference/src/lab/api-faults/fault-plan.ts';
import { isSpent, matches, strikes } from '../../../server-reference/src/lab/api-faults/fault.ts';
import type {
  FaultOrder,
  FaultTarget,
} from '../../../server-reference/src/lab/api-faults/fault.ts';
import { seededRandom } from '../../../server-reference/src/platform/store/seed.ts';

const TARGET: FaultTarget = {
  operationId: 'getRun',
  key: 'hpk_1',
  tenantId: 'tenant_1',
  method: 'GET',
  path: '/v1/runs/run_1',
};
const EFFECT = { status: 500 } as const;

/** Which of the next requests, counted from 1, a fault strikes; each comes a second after the last. */
function struck(order: Partial<FaultOrder>, requests: number, seed = 1): number[] {
  const plan = createFaultPlan(seededRandom(seed), () => {});
  plan.plant({ match: {}, effect: EFFECT, ...order }, 0);
  const numbers = Array.from({ length: requests }, (_none, index) => index + 1);
  return numbers.filter((number) => plan.strike(TARGET, 'req', (number - 1) * 1000) !== null);
}

test('a request matches when it is like the fault in all that is named', () => {
  const named = fc.subarray(Object.keys(TARGET) as (keyof FaultTarget)[]);
  fc.assert(
    fc.property(named, fc.constantFrom(...Object.keys(TARGET)), (names, other) => {
      const match = Object.fromEntries(names.map((name) => [name, TARGET[name]]));
      expect(matches({ match, effect: EFFECT }, TARGET)).toBe(true);
      const differs = { ...TARGET, [other]: 'other' };
      expect(matches({ match, effect: EFFECT }, differs)).toBe(!Object.hasOwn(match, other));
    }),
  );
});

test.each([
  [{}, [1, 2, 3, 4, 5]],
  [{ nth: 3 }, [3]],
  [{ times: 2 }, [1, 2]],
  [{ forMilliseconds: 2500 }, [1, 2, 3]],
  [{ forMilliseconds: 2000 }, [1, 2]],
  [{ probability: 0 }, []],
  [{ probability: 1, times: 1 }, [1]],
  [{ match: { method: 'POST' } }, []],
])('%j strikes the requests %j of five', (order, expected) => {
  expect(struck(order, 5)).toEqual(expected);
});

test('a probability strikes its share, and the same requests for the same seed', () => {
  const half = struck({ probability: 0.5 }, 2000);
  expect(Math.abs(half.length - 1000)).toBeLessThan(120);
  expect(struck({ probability: 0.5 }, 2000)).toEqual(half);
  expect(struck({ probability: 0.5 }, 2000, 2)).not.toEqual(half);
});

test('a fault never strikes more often, earlier or later than ordered', () => {
  const order = fc.record(
    {
      nth: fc.integer({ min: 1, max: 6 }),
      times: fc.integer({ min: 1, max: 6 }),
      forMilliseconds: fc.integer({ min: 1, max: 6000 }),
      probability: fc.constantFrom(0, 0.3, 1),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(order, (ordered) => {
      const numbers = struck(ordered, 8);
      expect(numbers.length).toBeLessThanOrEqual(ordered.times ?? 8);
      for (const number of numbers) {
        expect(number).toBe(ordered.nth ?? number);
        expect((number - 1) * 1000).toBeLessThan(ordered.forMilliseconds ?? Infinity);
      }
    }),
  );
});

test('the draw decides against the probability', () => {
  const order: FaultOrder = { match: {}, probability: 0.4, effect: EFFECT };
  const progress = { matched: 1, hits: 0, elapsedMilliseconds: 0 };
  expect([0.39, 0.4].map((draw) => strikes(order, progress, draw))).toEqual([true, false]);
});

test('of several the first planted that strikes decides, and all count', () => {
  const plan = createFaultPlan(seededRandom(1), () => {});
  plan.plant({ match: {}, nth: 2, effect: { status: 500 } }, 0);
  plan.plant({ match: {}, effect: { status: 503 } }, 0);
  const effects = [1, 2, 3].map((now) => plan.strike(TARGET, 'req', now)?.effect.status);
  expect(effects).toEqual([503, 500, 503]);
  expect(plan.list().map(({ matched, hits }) => [matched, hits])).toEqual([
    [3, 1],
    [3, 2],
  ]);
});

test('a fault that is spent strikes no more, and one that is not may strike again', () => {
  const limits = fc.record(
    {
      nth: fc.integer({ min: 1, max: 6 }),
      times: fc.integer({ min: 1, max: 6 }),
      forMilliseconds: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: [] },
  );
  const count = fc.nat(7);
  fc.assert(
    fc.property(limits, count, count, count, (limited, matched, hits, elapsedMilliseconds) => {
      const order: FaultOrder = { match: {}, effect: EFFECT, ...limited };
      const progress = { matched, hits, elapsedMilliseconds };
      const next = Array.from({ length: 8 }, (_none, more) => matched + more + 1);
      const mayStrike = next.some((one) => strikes(order, { ...progress, matched: one }, 0));
      expect(isSpent(order, progress)).toBe(!mayStrike);
    }),
  );
});

test.each([{ times: 1 }, { nth: 1 }, { forMilliseconds: 5 }])(
  'those with %j give their place up once they are spent, the oldest first',
  (limit) => {
    let told = 0;
    const plan = createFaultPlan(seededRandom(1), () => (told += 1));
    const other = { match: { path: '/other' }, effect: EFFECT };
    for (let number = 2; number < MOST_FAULTS; number += 1) plan.plant(other, 0);
    for (let number = 0; number < 2; number += 1) {
      plan.plant({ match: {}, effect: EFFECT, ...limit }, 0);
    }
    expect(plan.plant(other, 4)).toBeNull();
    for (let number = 0; number < 2; number += 1) plan.strike(TARGET, 'req', 5);
    expect(plan.list()).toHaveLength(MOST_FAULTS);
    told = 0;
    expect(plan.plant(other, 5)?.id).toBe('fault_101');
    expect(told).toBe(1);
    expect(plan.list().map(({ id }) => id)).not.toContain('fault_99');
    expect(plan.list().map(({ id }) => id)).toContain('fault_100');
    expect(plan.plant(other, 5)?.id).toBe('fault_102');
    expect(plan.plant(other, 5)).toBeNull();
  },
);

test('no more are planted than are kept, and of the hits the last are told', () => {
  const plan = createFaultPlan(seededRandom(1), () => {});
  for (let number = 0; number < MOST_FAULTS; number += 1) {
    expect(plan.plant({ match: {}, effect: EFFECT }, 0)).not.toBeNull();
  }
  expect(plan.plant({ match: {}, effect: EFFECT }, 0)).toBeNull();
  for (let number = 1; number <= HITS_TOLD + 5; number += 1) {
    plan.strike(TARGET, `req_${number}`, number);
  }
  const told = plan.list()[0]?.struck ?? [];
  expect(told).toHaveLength(HITS_TOLD);
  expect(told.at(-1)?.requestId).toBe(`req_${HITS_TOLD + 5}`);
  expect(plan.list()[0]?.hits).toBe(HITS_TOLD + 5);
  expect(plan.remove('fault_1')).toBe(true);
  expect(plan.plant({ match: {}, effect: EFFECT }, 0)?.id).toBe(`fault_${MOST_FAULTS + 1}`);
});
