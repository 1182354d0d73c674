import { expect, test } from 'vitest';

import { DeliveryFaultPlan } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault-plan.ts';
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
const newPlan = (): DeliveryFaultPlan =>
  new DeliveryFaultPlan({ changed: () => {}, removed: () => {} });

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
