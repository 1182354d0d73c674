import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import {
  START,
  controlClient,
  impatientClock,
  startControlled,
} from '../control/control-client.ts';
import type { ControlClient } from '../control/control-client.ts';
import { listenAt, runStatuses } from '../../events/endpoint-listener.ts';
import type { EndpointListener } from '../../events/endpoint-listener.ts';

const REST = ['running', 'finalizing', 'completed'];

async function runs(control: ControlClient, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let run = 0; run < count; run += 1) {
    ids.push((await control.run()).id);
    await control.idle();
  }
  return ids;
}

function order({ arrivals }: EndpointListener): string[] {
  return arrivals.map(({ body }) => JSON.parse(body.toString('utf8')).data.run.id);
}

test('two deliveries are gathered and sent last first, each after the response to the one before', async () => {
  const control = await startControlled();
  const held: (() => void)[] = [];
  const listener = await listenAt((response, number) => {
    if (number === 1) held.push(() => response.writeHead(503).end());
    else response.end();
  });
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'reorder' });
  const first = await control.run();
  await control.idle();
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'pending',
    nextAttemptAt: '2026-07-01T00:01:00.000Z',
  });
  const second = await control.run();
  await listener.arrived(1);
  const deliveries = await control.deliveries();
  expect(deliveries.map(({ attempts }) => attempts)).toEqual([[], []]);
  expect(order(listener)).toEqual([second.id]);
  for (const release of held) release();
  await listener.arrived(2);
  await control.idle();
  expect(order(listener)).toEqual([second.id, first.id]);
  expect((await control.deliveries()).map(({ attempts }) => attempts)).toMatchObject([
    [{ deliveryFault: 'reorder', status: 200 }],
    [{ deliveryFault: 'reorder', status: 503 }],
  ]);
  await control.advance(60_000);
  expect(order(listener)).toEqual([second.id, first.id, second.id]);
});

test('the ordered number of deliveries is gathered', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'reorder', deliveries: 4 });
  const ids = await runs(control, 5);
  expect(order(listener)).toEqual([...ids.slice(0, 4).toReversed(), ids[4]]);
});

test('deliveries to the endpoint of the first one are gathered, and no others', async () => {
  const control = await startControlled();
  const [one, other] = [await listenAt(), await listenAt()];
  for (const { url } of [one, other]) await control.endpoint(url);
  await control.expectOk(201, '/delivery-faults', { name: 'reorder' });
  const ids = await runs(control, 2);
  expect([order(one), order(other)]).toEqual([ids.toReversed(), ids]);
});

describe('a reorder for a run', () => {
  test('gathers until the run is terminal', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    const { id } = await control.run({ deliveryFaults: [{ name: 'reorder' }] });
    for (const status of REST) {
      await control.idle();
      expect(listener.arrivals).toEqual([]);
      await control.move(id, status);
    }
    await control.idle();
    expect(runStatuses(listener)).toEqual(['completed', 'finalizing', 'running', 'pending']);
  });

  test('reverses the order at each of several endpoints', async () => {
    const control = await startControlled();
    const listeners = [await listenAt(), await listenAt()];
    for (const { url } of listeners) await control.endpoint(url);
    const { id } = await control.run({ deliveryFaults: [{ name: 'reorder' }] });
    for (const status of REST) await control.move(id, status);
    await control.idle();
    for (const listener of listeners) {
      expect(runStatuses(listener)).toEqual(['completed', 'finalizing', 'running', 'pending']);
    }
  });

  test('gathers a run with scheduled transitions', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    await control.run({
      scheduledTransitions: REST.map((status, index) => ({
        status,
        afterMilliseconds: 1_000 * index,
      })),
      deliveryFaults: [{ name: 'reorder' }],
    });
    await control.advance(10_000);
    expect(runStatuses(listener)).toEqual(['completed', 'finalizing', 'running', 'pending']);
  });

  test('stops gathering at the maximum', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    const { id } = await control.run({ deliveryFaults: [{ name: 'reorder', deliveries: 2 }] });
    for (const status of REST) {
      await control.move(id, status);
      await control.idle();
    }
    expect(runStatuses(listener)).toEqual(['running', 'pending', 'finalizing', 'completed']);
  });
});

test('gathered deliveries are sent when the hold of the first is over; the next ones gather again', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  const { id } = await control.run({
    deliveryFaults: [{ name: 'reorder', holdMilliseconds: 10_000 }],
  });
  await control.idle();
  await control.advance(5_000);
  await control.move(id, 'running');
  await control.idle();
  await control.advance(4_999);
  expect(runStatuses(listener)).toEqual([]);
  await control.advance(1);
  await control.idle();
  expect(runStatuses(listener)).toEqual(['running', 'pending']);
  await control.move(id, 'finalizing');
  await control.idle();
  expect(runStatuses(listener)).toHaveLength(2);
  await control.advance(10_000);
  expect(runStatuses(listener)).toEqual(['running', 'pending', 'finalizing']);
});

test('a redelivery of a held delivery leaves at once; the others follow in their order', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'reorder', deliveries: 4 });
  const ids = await runs(control, 3);
  const [, second] = await control.deliveries();
  await control.expectOk(202, `/deliveries/${second?.id}/redeliver`, {});
  await control.idle();
  expect(order(listener)).toEqual([ids[1]]);
  const [last] = await runs(control, 1);
  expect(order(listener)).toEqual([ids[1], last, ids[2], ids[0]]);
  expect((await control.deliveries())[1]?.attempts).toMatchObject([
    { trigger: 'manual', deliveryFault: null },
  ]);
});

test('a delivery that is cancelled before its turn is skipped', async () => {
  const control = await startControlled();
  const listeners = [await listenAt(), await listenAt(), await listenAt()];
  const endpoints = [];
  for (const { url } of listeners) endpoints.push((await control.endpoint(url)).id);
  const { id } = await control.run({ deliveryFaults: [{ name: 'reorder' }] });
  await control.idle();
  await control.call(`/webhook-endpoints/${endpoints[1]}`, { method: 'DELETE' });
  await control.move(id, 'cancelled');
  await control.idle();
  expect(listeners.map(runStatuses)).toEqual([
    ['cancelled', 'pending'],
    [],
    ['cancelled', 'pending'],
  ]);
  expect(await control.onlyDelivery(`?endpointId=${endpoints[1]}`)).toMatchObject({
    status: 'ended',
    endReason: 'endpoint_deleted',
    nextAttemptAt: null,
  });
});

test('a delivery that is cancelled while it waits for a free place at its turn is skipped', async () => {
  const control = await startControlled({ clock: impatientClock() });
  const [free, full] = [await listenAt(), await listenAt(() => {})];
  const { id: freeId } = await control.endpoint(free.url);
  const { id: fullId } = await control.endpoint(full.url);
  const { id } = await control.run({ deliveryFaults: [{ name: 'reorder', deliveries: 3 }] });
  await control.idle();
  await Promise.all(Array.from({ length: 16 }, () => control.run()));
  await Promise.all([full.arrived(16), free.arrived(16)]);
  await control.move(id, 'cancelled');
  await free.arrived(17);
  const [, last] = await control.deliveries(`?runId=${id}&endpointId=${freeId}`);
  await control.expectOk(200, '/wait', { for: 'delivery', id: last?.id, status: 'delivered' });
  await control.call(`/webhook-endpoints/${fullId}`, { method: 'DELETE' });
  await free.arrived(18);
  expect(order(free).slice(16)).toEqual([id, id]);
  expect(runStatuses(free).slice(16)).toEqual(['cancelled', 'pending']);
  expect(order(full)).not.toContain(id);
});

test('a missing response delays the next delivery until the deadline at most', async () => {
  const control = await startControlled({ clock: impatientClock() });
  const listener = await listenAt((response, number) => {
    if (number > 1) response.end();
  });
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'reorder' });
  const [first] = await runs(control, 1);
  const second = await control.run();
  await listener.arrived(1);
  await control.advance(10_000);
  expect(order(listener).slice(0, 2)).toEqual([second.id, first]);
});

test('held deliveries are sent at their time after a restart', async () => {
  const path = emptyFolder();
  const listener = await listenAt();
  const serve = async (now: number): Promise<[ControlClient, ReferenceServer]> => {
    const clock = virtualClock({ now });
    const server = await createServer({ store: { kind: 'folder', path }, clock });
    onTestFinished(() => server.close());
    return [controlClient(server), server];
  };
  const [before, server] = await serve(START);
  await before.endpoint(listener.url);
  await before.expectOk(201, '/delivery-faults', { name: 'reorder', deliveries: 5 });
  const ids = await runs(before, 2);
  await server.close();
  const [control] = await serve(START + 59_999);
  await control.idle();
  expect(listener.arrivals).toEqual([]);
  await control.advance(1);
  expect(order(listener).toSorted()).toEqual(ids.toSorted());
  expect((await control.deliveries()).map(({ status }) => status)).toEqual([
    'delivered',
    'delivered',
  ]);
});
