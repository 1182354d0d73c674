import { createServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import {
  START,
  controlClient,
  impatientClock,
  startControlled,
} from '../control/control-client.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { signed } from './signed.ts';

test('a delayed attempt is made and signed after the delay, and its row says so', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  const { secret } = await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'delay', milliseconds: 30_000 });
  await control.run();
  await control.idle();
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'pending',
    nextAttemptAt: '2026-07-01T00:00:30.000Z',
    attempts: [],
  });
  await control.advance(29_999);
  expect(listener.arrivals).toEqual([]);
  await control.advance(1);
  expect(listener.arrivals.map((arrival) => signed(arrival, secret))).toEqual([
    { second: 30, fits: true },
  ]);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ deliveryFault: 'delay', startedAt: '2026-07-01T00:00:30.000Z' }],
  });
});

test('a delay holds no other delivery', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'delay' });
  const late = await control.run();
  const early = await control.run();
  await control.idle();
  await control.advance(5_000);
  const order = listener.arrivals.map(({ body }) => JSON.parse(body.toString('utf8')).data.run.id);
  expect(order).toEqual([early.id, late.id]);
});

test('a delayed attempt that fails is retried by the profile', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(503, 204));
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'delay' });
  await control.run();
  await control.advance(60_000);
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { deliveryFault: 'delay', status: 503, trigger: 'automatic' },
    { deliveryFault: null, status: 204 },
  ]);
});

test('a redelivery of a held delivery leaves at once, and replaces the held attempt', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'delay' });
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  await control.idle();
  await control.advance(86_400_000);
  expect(listener.arrivals).toHaveLength(1);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ trigger: 'manual', deliveryFault: null }],
  });
});

test.each([
  ['endpoint_disabled', { method: 'PATCH', json: { enabled: false } }],
  ['endpoint_deleted', { method: 'DELETE' }],
] as const)('a held delivery ends at once with the reason %s', async (endReason, call) => {
  const control = await startControlled();
  const listener = await listenAt();
  const { id } = await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'delay' });
  await control.run();
  await control.idle();
  await control.call(`/webhook-endpoints/${id}`, call);
  await control.advance(86_400_000);
  expect(listener.arrivals).toEqual([]);
  expect(await control.onlyDelivery()).toMatchObject({ status: 'ended', endReason, attempts: [] });
});

test('a held attempt keeps its time over a restart, although the fault is gone', async () => {
  const path = emptyFolder();
  const listener = await listenAt();
  const start = async (now: number): Promise<ReturnType<typeof controlClient>> => {
    const clock = impatientClock(now);
    const server = await createServer({ store: { kind: 'folder', path }, clock });
    onTestFinished(() => server.close());
    closers.push(() => server.close());
    return controlClient(server);
  };
  const closers: (() => Promise<void>)[] = [];
  const first = await start(START);
  await first.endpoint(listener.url);
  await first.expectOk(201, '/delivery-faults', {
    name: 'delay',
    milliseconds: 60_000,
    deliveries: 9,
  });
  await first.run();
  await first.idle();
  await closers[0]?.();

  const control = await start(START + 59_000);
  await control.idle();
  expect((await control.onlyDelivery()).nextAttemptAt).toBe('2026-07-01T00:01:00.000Z');
  await control.advance(999);
  expect(listener.arrivals).toEqual([]);
  await control.advance(1);
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { status: 204, deliveryFault: null },
  ]);
  expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
});
