import { expect, test } from 'vitest';

import type { Delivery } from '../../../server-reference/src/lab/control/deliveries.ts';
import { startControlled } from '../lab/control/control-client.ts';
import { listenAt, statuses } from './endpoint-listener.ts';

const THREE_DAYS = 259_200_000;

function triggers({ attempts }: Delivery): string[] {
  return attempts.map(({ trigger, status }) => `${trigger} ${status}`);
}

test('a redelivery replaces the pending retry', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(503, 204));
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  await control.idle();
  expect(triggers(await control.onlyDelivery())).toEqual(['automatic 503', 'manual 204']);
  await control.advance(THREE_DAYS);
  expect(triggers(await control.onlyDelivery())).toEqual(['automatic 503', 'manual 204']);
  expect(listener.arrivals).toHaveLength(2);
});

test('after a failed redelivery, the next retry waits from its end', async () => {
  const control = await startControlled();
  const listener = await listenAt((response, number) => {
    response.writeHead(503, { 'retry-after': number === 1 ? '60' : '100' }).end();
  });
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  await control.advance(30_000);
  const { id } = await control.onlyDelivery();
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  await control.idle();
  await control.advance(99_999);
  expect(listener.arrivals).toHaveLength(2);
  await control.advance(1);
  expect(listener.arrivals).toHaveLength(3);
});

test('a redelivery reopens an ended delivery, which continues with its remaining retries', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(400, 503));
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  expect((await control.onlyDelivery()).status).toBe('ended');
  const accepted = await control.expectOk<Delivery>(202, `/deliveries/${id}/redeliver`, {});
  expect(accepted).toMatchObject({ id, status: 'pending' });
  await control.advance(THREE_DAYS);
  const delivery = await control.onlyDelivery();
  expect(triggers(delivery)).toEqual([
    'automatic 400',
    'manual 503',
    ...Array<string>(7).fill('automatic 503'),
  ]);
  expect(delivery).toMatchObject({ status: 'ended', endReason: 'attempts_exhausted' });
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  await control.advance(THREE_DAYS);
  const last = await control.onlyDelivery();
  expect(triggers(last).slice(9)).toEqual(['manual 503']);
  expect(last).toMatchObject({ status: 'ended', endReason: 'attempts_exhausted' });
});

test('a redelivery ordered during an attempt follows it in its own row, once for each order', async () => {
  const control = await startControlled();
  const held: (() => void)[] = [];
  const listener = await listenAt((response, number) => {
    if (number === 1) held.push(() => response.end());
    else response.end();
  });
  await control.endpoint(listener.url);
  await control.run();
  await listener.arrived(1);
  const { id } = await control.onlyDelivery();
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  expect(listener.arrivals).toHaveLength(1);
  for (const release of held) release();
  await control.idle();
  const delivery = await control.onlyDelivery();
  expect(triggers(delivery)).toEqual(['automatic 200', 'manual 200', 'manual 200']);
  expect(delivery.status).toBe('delivered');
});
