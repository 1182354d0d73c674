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

test('a reorder without a run applies to the endpoint of its first delivery only', () => {
  const plan = newPlan();
  plan.inject({ name: 'reorder' }, START);
  const all = ['whep_a', 'whep_b', 'whep_a'].map((endpointId) =>
    delivery({ endpointId: asId(endpointId) }),
  );
  expect(all.map((one) => plan.apply(one, START)?.hits)).toEqual([1, undefined, 2]);
  expect(plan.list()).toMatchObject([{ endpointId: asId('whep_a'), hits: 2 }]);
});
