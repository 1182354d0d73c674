import { describe, expect, test } from 'vitest';

import type { InjectedDeliveryFault } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault-plan.ts';
import { START, startControlled } from '../control/control-client.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { signed } from './signed.ts';

const NOW = START / 1000;

test.each([
  ['stale-timestamp', {}, { second: -600, fits: true }],
  ['future-timestamp', { seconds: 7_200 }, { second: 7_200, fits: true }],
  ['wrong-secret', {}, { second: 0, fits: false }],
  ['tampered-body', {}, { second: 0, fits: false }],
] as const)('%s %o alters one attempt; the next one is original', async (name, more, expected) => {
  const control = await startControlled();
  const listener = await listenAt(statuses(425, 204));
  const { secret } = await control.endpoint(listener.url);
  const injected = await control.expectOk<InjectedDeliveryFault>(201, '/delivery-faults', {
    name,
    deliveries: 9,
    ...more,
  });
  await control.run();
  await control.idle();
  await control.advance(60_000);
  const [altered = expect.unreachable(), original = expect.unreachable()] = listener.arrivals;
  expect(signed(altered, secret)).toEqual(expected);
  expect(signed(original, secret).fits).toBe(true);
  expect(altered.body.equals(original.body)).toBe(name !== 'tampered-body');
  expect(altered.headers['webhook-id']).toBe(original.headers['webhook-id']);
  const delivery = await control.onlyDelivery();
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [
      {
        deliveryFault: name,
        webhookTimestamp: NOW + expected.second,
        trigger: 'automatic',
        status: 425,
      },
      { deliveryFault: null, webhookTimestamp: NOW + signed(original, secret).second, status: 204 },
    ],
  });
  const list = await control.expectOk<{ data: InjectedDeliveryFault[] }>(200, '/delivery-faults');
  expect(list.data).toEqual([
    {
      ...injected,
      hits: 1,
      recentHits: [
        { at: new Date(START).toISOString(), deliveryId: delivery.id, eventId: delivery.eventId },
      ],
    },
  ]);
});

describe('a delivery fault', () => {
  test('hits the next n deliveries; of several faults, the first one with room applies', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    await control.expectOk(201, '/delivery-faults', { name: 'tampered-body', deliveries: 2 });
    await control.expectOk(201, '/delivery-faults', { name: 'wrong-secret' });
    for (let run = 0; run < 4; run += 1) {
      await control.run();
      await control.idle();
    }
    const rows = (await control.deliveries()).map(({ attempts }) => attempts[0]?.deliveryFault);
    expect(rows).toEqual(['tampered-body', 'tampered-body', 'wrong-secret', null]);
  });

  test('with an endpoint hits deliveries to that endpoint only', async () => {
    const control = await startControlled();
    const [near, far] = [await listenAt(), await listenAt()];
    await control.endpoint(near.url);
    const { id: endpointId } = await control.endpoint(far.url);
    await control.expectOk(201, '/delivery-faults', {
      name: 'tampered-body',
      endpointId,
      deliveries: 9,
    });
    await control.run();
    await control.run();
    await control.idle();
    const altered = (await control.deliveries()).filter(
      ({ attempts }) => attempts[0]?.deliveryFault,
    );
    expect(altered.map((delivery) => delivery.endpointId)).toEqual([endpointId, endpointId]);
  });

  test('ordered with a run hits every delivery of the run, from its first event', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    await control.run();
    const { id } = await control.run({
      deliveryFaults: [{ name: 'stale-timestamp', seconds: 60 }],
    });
    await control.idle();
    await control.move(id, 'running');
    await control.idle();
    const rows = (await control.deliveries()).map(({ runId, attempts }) => [
      runId === id,
      attempts[0]?.deliveryFault,
    ]);
    expect(rows).toEqual([
      [false, null],
      [true, 'stale-timestamp'],
      [true, 'stale-timestamp'],
    ]);
    const list = await control.expectOk<{ data: InjectedDeliveryFault[] }>(200, '/delivery-faults');
    expect(list.data).toMatchObject([{ name: 'stale-timestamp', runId: id, hits: 2 }]);
  });

  test('hits the next attempt, which can be a retry or a redelivery', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503, 204));
    await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    await control.expectOk(201, '/delivery-faults', { name: 'tampered-body' });
    await control.advance(60_000);
    await control.expectOk(201, '/delivery-faults', { name: 'wrong-secret' });
    const { id } = await control.onlyDelivery();
    await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
    await control.idle();
    expect((await control.onlyDelivery()).attempts).toMatchObject([
      { trigger: 'automatic', deliveryFault: null },
      { trigger: 'automatic', deliveryFault: 'tampered-body' },
      { trigger: 'manual', deliveryFault: 'wrong-secret' },
    ]);
  });

  test('never applies after its removal', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    const { id } = await control.expectOk<InjectedDeliveryFault>(201, '/delivery-faults', {
      name: 'wrong-secret',
      deliveries: 100,
    });
    await control.run();
    await control.idle();
    expect((await control.call(`/delivery-faults/${id}`, { method: 'DELETE' })).status).toBe(204);
    await control.run();
    await control.idle();
    const rows = (await control.deliveries()).map(({ attempts }) => attempts[0]?.deliveryFault);
    expect(rows).toEqual(['wrong-secret', null]);
  });
});
