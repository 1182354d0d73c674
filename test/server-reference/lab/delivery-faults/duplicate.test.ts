import { expect, test } from 'vitest';

import { startControlled } from '../control/control-client.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import type { Delivery } from '../../../../server-reference/src/lab/control/deliveries.ts';
import { signed } from './signed.ts';

function rows({ status, attempts }: Delivery): string[] {
  return [status, ...attempts.map((one) => `${one.deliveryFault} ${one.status ?? one.error}`)];
}

test('the event is sent again at the same moment, in a delivery for each copy', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  const { secret } = await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'duplicate', copies: 10 });
  await control.run();
  await control.idle();
  expect(listener.arrivals).toHaveLength(11);
  const [first, ...others] = listener.arrivals;
  for (const { headers, body } of others) {
    expect(body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(signed({ headers, body }, secret)).toEqual({ second: 0, fits: true });
  }
  const deliveries = await control.deliveries();
  expect(deliveries.map(rows)).toEqual(listener.arrivals.map(() => ['delivered', 'duplicate 204']));
});

test('a copy does not wait for the response to the original', async () => {
  const control = await startControlled();
  const held: (() => void)[] = [];
  const listener = await listenAt((response, number) => {
    if (number === 1) held.push(() => response.writeHead(204).end());
    else response.writeHead(204).end();
  });
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'duplicate' });
  await control.run();
  await listener.arrived(2);
  for (const release of held) release();
  await control.idle();
});

test('copies with an interval are signed at their own time', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  const { secret } = await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', {
    name: 'duplicate',
    copies: 2,
    apartMilliseconds: 600_000,
  });
  await control.run();
  await control.idle();
  await control.advance(599_999);
  expect(listener.arrivals).toHaveLength(1);
  await control.advance(1);
  expect(listener.arrivals).toHaveLength(2);
  await control.advance(600_000);
  expect(listener.arrivals.map((arrival) => signed(arrival, secret))).toEqual([
    { second: 0, fits: true },
    { second: 600, fits: true },
    { second: 1_200, fits: true },
  ]);
});

test('each copy is retried by itself, and no fault applies to it', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(204, 503, 204));
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', {
    name: 'duplicate',
    apartMilliseconds: 1,
    deliveries: 9,
  });
  await control.expectOk(201, '/delivery-faults', { name: 'wrong-secret', deliveries: 9 });
  await control.run();
  await control.idle();
  await control.advance(3_600_000);
  expect((await control.deliveries()).map(rows)).toEqual([
    ['delivered', 'duplicate 204'],
    ['delivered', 'duplicate 503', 'duplicate 204'],
  ]);
});

test('an endpoint that is disabled gets no more copies', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  const { id } = await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', {
    name: 'duplicate',
    copies: 3,
    apartMilliseconds: 1_000,
  });
  await control.run();
  await control.idle();
  await control.advance(1_000);
  for (const enabled of [false, true]) {
    await control.call(`/webhook-endpoints/${id}`, { method: 'PATCH', json: { enabled } });
  }
  await control.advance(86_400_000);
  expect(listener.arrivals).toHaveLength(2);
});
