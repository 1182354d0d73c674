import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
import { expect, test } from 'vitest';

import type { InjectedDeliveryFault } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault-plan.ts';
import { openControlled } from '../control/control-client.ts';

test('each fault is injected by its name alone, listed and removed', async () => {
  const control = await openControlled();
  for (const name of DELIVERY_FAULT_NAMES) {
    const injected = await control.expectOk<InjectedDeliveryFault>(201, '/delivery-faults', {
      name,
    });
    expect(injected).toMatchObject({
      name,
      injectedAt: '2026-07-01T00:00:00.000Z',
      deliveries: name === 'reorder' ? 2 : 1,
      hits: 0,
      armed: true,
      recentHits: [],
    });
    expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [injected] });
    const path = `/delivery-faults/${injected.id}`;
    expect((await control.call(path, { method: 'DELETE' })).status).toBe(204);
    expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
  }
});

test('more than a hundred armed faults are refused, and the run ordered with them is not created', async () => {
  const control = await openControlled();
  for (let number = 0; number < 99; number += 1) {
    await control.expectOk(201, '/delivery-faults', { name: 'delay' });
  }
  const deliveryFaults = [{ name: 'delay' }, { name: 'wrong-secret' }];
  const { issues, hint } = await control.expectError(409, '/runs', { json: { deliveryFaults } });
  expect(issues).toMatchObject([
    {
      code: 'too_many_delivery_faults',
      message: 'at most 100 delivery faults can be armed, got 101',
    },
  ]);
  expect(hint).toContain(
    'DELETE /_control/delivery-faults/{id}, or all with DELETE /_control/faults',
  );
  expect(await control.expectOk(200, '/events')).toEqual({ data: [] });
  const list = await control.expectOk<{ data: unknown[] }>(200, '/delivery-faults');
  expect(list.data).toHaveLength(99);
  const run = await control.run({ deliveryFaults: [{ name: 'delay' }] });
  expect(run.id).toMatch(/^exec_/);
  await control.expectError(409, '/delivery-faults', { json: { name: 'delay' } });
});
