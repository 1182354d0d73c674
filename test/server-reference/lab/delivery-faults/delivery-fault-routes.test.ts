import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
import { expect, test } from 'vitest';

import type { InjectedDeliveryFault } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault-plan.ts';
import { openControlled } from '../control/control-client.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';

test.each(DELIVERY_FAULT_NAMES)(
  '%s is injected by its name alone, listed and removed',
  async (name) => {
    const control = await openControlled();
    const injected = await control.expectOk<InjectedDeliveryFault>(201, '/delivery-faults', {
      name,
    });
    expect(injected).toMatchObject({
      id: 'delivery_fault_1',
      name,
      injectedAt: '2026-07-01T00:00:00.000Z',
      deliveries: name === 'reorder' ? 2 : 1,
      hits: 0,
      armed: true,
      recentHits: [],
    });
    expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [injected] });
    expect(
      (await control.call('/delivery-faults/delivery_fault_1', { method: 'DELETE' })).status,
    ).toBe(204);
    const { issues } = await control.expectError(404, '/delivery-faults/delivery_fault_1', {
      method: 'DELETE',
    });
    expect(issues).toMatchObject([
      { code: 'not_found', field: 'id', message: 'no delivery fault has this id' },
    ]);
    expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
  },
);

test.each([
  ['two', ['tampered-body', 'wrong-secret']],
  ['all', DELIVERY_FAULT_NAMES],
])('%s are removed at once, and change no delivery afterwards', async (_which, names) => {
  const control = await openControlled();
  await control.endpoint((await listenAt()).url);
  for (const name of names) await control.expectOk(201, '/delivery-faults', { name });
  expect((await control.call('/delivery-faults', { method: 'DELETE' })).status).toBe(204);
  expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
  await control.run();
  await control.idle();
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { deliveryFault: null, status: 204 },
  ]);
});

test.each([
  {},
  { name: 'unknown' },
  { name: 'duplicate', copies: 0 },
  { name: 'duplicate', copies: 11 },
  { name: 'duplicate', apartMilliseconds: 86_400_001 },
  { name: 'reorder', holdMilliseconds: 0 },
  { name: 'delay', milliseconds: 0 },
  { name: 'delay', milliseconds: 86_400_001 },
  { name: 'delay', seconds: 5 },
  { name: 'drop-then-redeliver', milliseconds: 5 },
  { name: 'stale-timestamp', seconds: 315_360_001 },
  { name: 'future-timestamp', seconds: 0.5 },
  { name: 'wrong-secret', secret: 'whsec_1' },
  { name: 'tampered-body', deliveries: 0 },
  { name: 'truncated-body', bytes: -1 },
  { name: 'slow-drip', pieces: 1 },
  { name: 'slow-drip', pieces: 1_001 },
])('%o is refused, and nothing is injected', async (json) => {
  const control = await openControlled();
  const { issues } = await control.expectError(400, '/delivery-faults', { json });
  expect(issues[0]?.code).toBe('invalid_value');
  expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
});

test.each([
  ['runId', 'run'],
  ['endpointId', 'webhook endpoint'],
])('an unknown %s is refused', async (field, noun) => {
  const control = await openControlled();
  const { issues } = await control.expectError(404, '/delivery-faults', {
    json: { name: 'delay', [field]: 'unknown' },
  });
  expect(issues).toMatchObject([
    { code: 'not_found', field, message: expect.stringContaining(noun) },
  ]);
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
  expect(hint).toContain('DELETE /_control/delivery-faults');
  expect(await control.expectOk(200, '/events')).toEqual({ data: [] });
  const list = await control.expectOk<{ data: unknown[] }>(200, '/delivery-faults');
  expect(list.data).toHaveLength(99);
  const run = await control.run({ deliveryFaults: [{ name: 'delay' }] });
  expect(run.id).toMatch(/^exec_/);
  await control.expectError(409, '/delivery-faults', { json: { name: 'delay' } });
});

test('exhausted faults make room, also for faults of a run', async () => {
  const control = await openControlled();
  const { url } = await listenAt(statuses(204));
  const { id: endpointId } = await control.endpoint(url);
  const { id: runId } = await control.run();
  await control.idle();
  for (let number = 0; number < 98; number += 1) {
    await control.expectOk(201, '/delivery-faults', { name: 'delay', runId });
  }
  for (let number = 0; number < 2; number += 1) {
    await control.expectOk(201, '/delivery-faults', { name: 'wrong-secret', endpointId });
  }
  const deliveryFaults = [{ name: 'delay' }, { name: 'tampered-body' }];
  await control.expectError(409, '/runs', { json: { deliveryFaults } });
  for (let sent = 0; sent < 2; sent += 1) await control.run();
  await control.idle();
  const run = await control.run({ deliveryFaults });
  const { data } = await control.expectOk<{ data: InjectedDeliveryFault[] }>(
    200,
    '/delivery-faults',
  );
  expect(data).toHaveLength(100);
  expect(data.slice(-2)).toMatchObject([
    { id: 'delivery_fault_101', runId: run.id },
    { id: 'delivery_fault_102', runId: run.id },
  ]);
  await control.expectError(409, '/delivery-faults', { json: { name: 'delay' } });
});

test.each([
  [[{ name: 'delay', runId: 'exec_1' }]],
  [Array.from({ length: 11 }, () => ({ name: 'delay' }))],
  [[{ name: 'nothing' }]],
])('a run with %o is not created', async (deliveryFaults) => {
  const control = await openControlled();
  await control.expectError(400, '/runs', { json: { deliveryFaults } });
  expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
});

test('a wait for hits of a fault ends', async () => {
  const control = await openControlled();
  const listener = await listenAt(() => {});
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'wrong-secret', deliveries: 5 });
  const waited = control.expectOk(200, '/wait', {
    for: 'deliveryFault',
    id: 'delivery_fault_1',
    hits: 2,
  });
  await control.run();
  await control.run();
  expect(await waited).toMatchObject({ id: 'delivery_fault_1', hits: 2 });
});
