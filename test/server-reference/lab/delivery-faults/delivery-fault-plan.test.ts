import { expect, test } from 'vitest';

import {
  MAX_DELIVERY_FAULTS,
  MAX_REPORTED_HITS,
  DeliveryFaultPlan,
} from '../../../../server-reference/src/lab/delivery-faults/delivery-fault-plan.ts';
import type { DeliveryRecord } from '../../../../server-reference/src/store/deliveries.ts';
import { START } from '../control/control-client.ts';
import { asId } from '../../state-by-text.ts';

let made = 0;
function delivery(more: Partial<DeliveryRecord> = {}): DeliveryRecord {
  made += 1;
  return {
    id: asId(`dlv_${made}`),
    eventId: asId(`event_${made}`),
    endpointId: asId('whep_a'),
    runId: asId('exec_a'),
    type: 'run.created',
    status: 'pending',
    endReason: null,
    nextAttemptAt: null,
    createdAt: '2026-07-01T00:00:00.000Z',
    attempts: [],
    manualRequests: [],
    ...more,
  };
}
const newPlan = (): DeliveryFaultPlan => new DeliveryFaultPlan(() => {});

test('a plan applies each fault to the next n matches, each once, the first injected fault first', () => {
  const plan = newPlan();
  plan.inject({ name: 'wrong-secret', endpointId: 'whep_b', deliveries: 2 }, START);
  plan.inject({ name: 'tampered-body', deliveries: 2 }, START);
  const [a1, b1, b2, b3] = [
    delivery(),
    delivery({ endpointId: asId('whep_b') }),
    delivery({ endpointId: asId('whep_b') }),
    delivery({ endpointId: asId('whep_b') }),
  ];
  const applied = [a1, b1, b1, b2, b3, a1].map((one) => plan.apply(one, START + 5)?.name);
  expect(applied).toEqual([
    'tampered-body',
    'wrong-secret',
    'tampered-body',
    'wrong-secret',
    undefined,
    undefined,
  ]);
  expect(plan.find('delivery_fault_1')).toEqual({
    id: 'delivery_fault_1',
    name: 'wrong-secret',
    endpointId: 'whep_b',
    deliveries: 2,
    injectedAt: '2026-07-01T00:00:00.000Z',
    hits: 2,
    recentHits: [b1, b2].map(({ id, eventId }) => ({
      at: '2026-07-01T00:00:00.005Z',
      deliveryId: id,
      eventId,
    })),
  });
});

test('a fault for a run applies to all of its deliveries and no others', () => {
  const plan = newPlan();
  plan.inject({ name: 'drop-then-redeliver', runId: 'exec_b' }, START);
  const all = [delivery(), delivery({ runId: asId('exec_b') }), delivery({ runId: null })];
  expect(all.map((one) => plan.apply(one, START)?.id)).toEqual([
    undefined,
    'delivery_fault_1',
    undefined,
  ]);
  for (let number = 0; number < 150; number += 1) {
    expect(plan.apply(delivery({ runId: asId('exec_b') }), START)).not.toBeNull();
  }
  const [injected] = plan.list();
  expect([injected?.hits, injected?.recentHits.length]).toEqual([151, MAX_REPORTED_HITS]);
  expect(injected?.recentHits.at(-1)?.deliveryId).toBe(`dlv_${made}`);
});

test('a reorder without a run applies to the endpoint of its first delivery only', () => {
  const plan = newPlan();
  plan.inject({ name: 'reorder' }, START);
  const all = ['whep_a', 'whep_b', 'whep_a'].map((endpointId) =>
    delivery({ endpointId: asId(endpointId) }),
  );
  expect(all.map((one) => plan.apply(one, START)?.hits)).toEqual([1, undefined, 2]);
  expect(plan.list()).toMatchObject([{ endpointId: asId('whep_a'), hits: 2 }]);
});

test('the number of faults has a maximum; a removed fault makes room and never applies again', () => {
  const plan = newPlan();
  for (let number = 0; number < MAX_DELIVERY_FAULTS; number += 1) {
    expect(plan.hasRoomFor(1)).toBe(true);
    plan.inject({ name: 'wrong-secret' }, START);
  }
  expect(plan.hasRoomFor(1)).toBe(false);
  expect(() => plan.inject({ name: 'delay' }, START)).toThrow(RangeError);
  expect([plan.remove('delivery_fault_1'), plan.remove('delivery_fault_1')]).toEqual([true, false]);
  expect([plan.hasRoomFor(1), plan.hasRoomFor(2)]).toEqual([true, false]);
  expect(plan.apply(delivery(), START)?.id).toBe('delivery_fault_2');
  plan.clear();
  expect(plan.list()).toEqual([]);
  expect(plan.apply(delivery(), START)).toBeNull();
  expect(plan.inject({ name: 'delay' }, START).id).toBe('delivery_fault_101');
});

test('exhausted faults make room, the oldest first', () => {
  let changes = 0;
  const plan = new DeliveryFaultPlan(() => (changes += 1));
  for (let number = 0; number < MAX_DELIVERY_FAULTS; number += 1) {
    plan.inject({ name: 'wrong-secret', endpointId: number < 97 ? 'whep_b' : 'whep_a' }, START);
  }
  for (let number = 0; number < 2; number += 1) plan.apply(delivery(), START);
  expect([plan.hasRoomFor(2), plan.hasRoomFor(3)]).toEqual([true, false]);
  expect(plan.list()).toHaveLength(MAX_DELIVERY_FAULTS);
  changes = 0;
  expect(plan.inject({ name: 'delay' }, START).id).toBe('delivery_fault_101');
  expect(changes).toBe(1);
  expect([plan.find('delivery_fault_98'), plan.find('delivery_fault_99')?.hits]).toEqual([
    undefined,
    1,
  ]);
  plan.inject({ name: 'delay' }, START);
  expect(plan.find('delivery_fault_100')?.hits).toBe(0);
  expect(() => plan.inject({ name: 'delay' }, START)).toThrow(RangeError);
});
