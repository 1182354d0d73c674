import { expect, test } from 'vitest';

import { impatientClock, startControlled } from '../control/control-client.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import type { Delivery } from '../../../../server-reference/src/lab/control/deliveries.ts';
import { signed } from './signed.ts';

function rows({ attempts }: Delivery): string[] {
  return attempts.map(({ trigger, status, error }) => `${trigger} ${status ?? error}`);
}

test('the POST is repeated at the same moment, and each copy has a row', async () => {
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
  const delivery = await control.onlyDelivery();
  expect(rows(delivery)).toEqual(['automatic 204', ...Array<string>(10).fill('duplicate 204')]);
  expect(delivery.attempts.map(({ number }) => number)).toEqual(
    delivery.attempts.map((_, i) => i + 1),
  );
  expect(new Set(delivery.attempts.map(({ deliveryFault }) => deliveryFault))).toEqual(
    new Set(['duplicate']),
  );
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

test('rows are in the order of sending, not of the responses', async () => {
  const control = await startControlled({ clock: impatientClock() });
  const held: (() => void)[] = [];
  const listener = await listenAt((response, number) => {
    if (number === 1) held.push(() => response.writeHead(503).end());
    else response.writeHead(204).end();
  });
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'duplicate' });
  await control.run();
  await listener.arrived(2);
  for (const release of held) release();
  await control.idle();
  const delivery = await control.onlyDelivery();
  expect(delivery.attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'duplicate']);
  expect(delivery.status).toBe('delivered');
});

test.each([
  [[503, 204], 'delivered', ['automatic 503', 'duplicate 204']],
  [[404, 204], 'delivered', ['automatic 404', 'duplicate 204']],
  [[204, 503], 'delivered', ['automatic 204', 'duplicate 503']],
  [
    [503, 404, 503, 204],
    'delivered',
    ['automatic 503', 'duplicate 404', 'automatic 503', 'automatic 204'],
  ],
])(
  'responses %o: a success counts, any other response to a copy changes nothing',
  async (script, status, expected) => {
    const control = await startControlled();
    const listener = await listenAt(statuses(...script));
    await control.endpoint(listener.url);
    await control.expectOk(201, '/delivery-faults', { name: 'duplicate', apartMilliseconds: 1 });
    await control.run();
    await control.idle();
    await control.advance(1);
    await control.advance(3_600_000);
    const delivery = await control.onlyDelivery();
    expect(delivery.status).toBe(status);
    expect(rows(delivery)).toEqual(expected);
    expect(listener.arrivals).toHaveLength(expected.length);
  },
);

test.each([
  ['disabled', { method: 'PATCH', json: { enabled: false } }],
  ['deleted', { method: 'DELETE' }],
] as const)(
  'an endpoint that is %s between copies gets no more of them, even after it is back',
  async (how, call) => {
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
    expect(listener.arrivals).toHaveLength(2);
    await control.call(`/webhook-endpoints/${id}`, call);
    if (how === 'disabled') {
      await control.call(`/webhook-endpoints/${id}`, { method: 'PATCH', json: { enabled: true } });
    }
    await control.advance(86_400_000);
    expect(listener.arrivals).toHaveLength(2);
    expect(rows(await control.onlyDelivery())).toEqual(['automatic 204', 'duplicate 204']);
  },
);

test('a hanging endpoint holds no more copies than a maximum, beside its attempts', async () => {
  const control = await startControlled({ clock: impatientClock() });
  const listener = await listenAt(() => {});
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'duplicate', copies: 10, deliveries: 4 });
  for (let run = 0; run < 4; run += 1) await control.run();
  await listener.arrived(4 + 16);
  const other = await listenAt();
  await control.endpoint(other.url);
  await control.run();
  await other.arrived(1);
  await listener.arrived(5 + 16);
  expect(listener.arrivals).toHaveLength(5 + 16);
});

test('a redelivery between copies is an additional attempt', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'duplicate', apartMilliseconds: 1_000 });
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  await control.idle();
  await control.advance(1_000);
  expect(rows(await control.onlyDelivery())).toEqual([
    'automatic 204',
    'manual 204',
    'duplicate 204',
  ]);
});
