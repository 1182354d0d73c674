import { expect, test } from 'vitest';

import { START, startControlled } from '../control/control-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { bodyOf, rawListener } from './raw-listener.ts';

test('a dropped attempt is recorded without being sent, and retried by the profile', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'drop-then-redeliver' });
  await control.run();
  await control.idle();
  expect(listener.arrivals).toEqual([]);
  const { nextAttemptAt, attempts } = await control.onlyDelivery();
  expect(attempts).toEqual([
    {
      number: 1,
      startedAt: '2026-07-01T00:00:00.000Z',
      finishedAt: '2026-07-01T00:00:00.000Z',
      trigger: 'automatic',
      deliveryFault: 'drop-then-redeliver',
      webhookTimestamp: null,
      status: null,
      error: 'dropped',
      detail: 'a delivery fault dropped the request before it was sent',
      retryAfter: null,
      responseBody: null,
    },
  ]);
  await control.advance(Date.parse(nextAttemptAt ?? '') - START);
  expect(listener.arrivals).toHaveLength(1);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ error: 'dropped' }, { status: 204, deliveryFault: null }],
  });
});

test.each([
  [undefined, (length: number) => Math.floor(length / 2)],
  [0, () => 0],
  [1, () => 1],
  [1_000_000, (length: number) => length - 1],
])('of a truncated body %s bytes arrive, and then the connection ends', async (bytes, expected) => {
  const control = await startControlled();
  const listener = await rawListener();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', {
    name: 'truncated-body',
    ...(bytes === undefined ? {} : { bytes }),
  });
  await control.run();
  await control.idle();
  await listener.until(([connection]) => connection?.ended === true);
  const delivery = await control.onlyDelivery();
  const { payload } = await control.onlyEvent();
  const [cut = expect.unreachable()] = listener.connections;
  expect(cut.reads.join('').toLowerCase()).toContain(`content-length: ${payload.length}\r\n`);
  expect(bodyOf(cut)).toBe(payload.slice(0, expected(payload.length)));
  expect(delivery).toMatchObject({
    status: 'pending',
    attempts: [
      {
        deliveryFault: 'truncated-body',
        webhookTimestamp: START / 1000,
        status: null,
        error: 'body_truncated',
      },
    ],
  });
});

test('after a cut the whole body is sent again', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'truncated-body' });
  await control.run();
  await control.advance(60_000);
  expect(listener.arrivals).toHaveLength(1);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ error: 'body_truncated' }, { status: 204 }],
  });
});

test('each loss counts against the attempts of the profile', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  for (let deliveryFault = 0; deliveryFault < 8; deliveryFault += 1) {
    await control.expectOk(201, '/delivery-faults', { name: 'drop-then-redeliver' });
  }
  await control.run();
  await control.advance(259_200_000);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'ended',
    endReason: 'attempts_exhausted',
  });
  expect(listener.arrivals).toEqual([]);
});
