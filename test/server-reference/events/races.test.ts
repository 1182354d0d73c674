import { realClock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import type { Delivery } from '../../../server-reference/src/lab/control/deliveries.ts';
import { seededRandom } from '../../../server-reference/src/store/seed.ts';
import { startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';

test('a redelivery ordered after a cancellation is not mistaken for the one in progress', async () => {
  const control = await startControlled();
  const held: (() => void)[] = [];
  const listener = await listenAt((response, number) => {
    if (number === 2) held.push(() => response.end());
    else response.end();
  });
  const { id: endpointId } = await control.endpoint(listener.url);
  const enable = (enabled: boolean): Promise<unknown> =>
    control.call(`/webhook-endpoints/${endpointId}`, { method: 'PATCH', json: { enabled } });
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  await listener.arrived(2);
  await enable(false);
  await enable(true);
  await control.expectOk(202, `/deliveries/${id}/redeliver`, {});
  for (const release of held) release();
  await control.idle();
  const { attempts, status } = await control.onlyDelivery();
  expect(attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'manual', 'manual']);
  expect(status).toBe('delivered');
});

/**
 * For any concurrent calls: each POST that arrived is one row, rows are numbered without gaps,
 * each accepted redelivery that is not cancelled is made, and in the end nothing is pending.
 */
test.each([1, 2, 3])('redeliver, disable, enable and delete at once, seed %s', async (seed) => {
  const control = await startControlled({ clock: realClock(), retryProfile: 'instant' });
  const random = seededRandom(seed);
  const listener = await listenAt((response, number) => {
    response.statusCode = [204, 503, 400, 200][Math.floor(random(`status ${number}`) * 4)] ?? 204;
    setImmediate(() => response.end());
  });
  const endpoints = await Promise.all(
    [1, 2, 3].map((number) => control.endpoint(`${listener.url}/${number}`)),
  );
  const runs = await Promise.all(Array.from({ length: 8 }, () => control.run()));
  const known = await control.deliveries();
  const one = <T>(of: readonly T[], key: string): T =>
    of[Math.floor(random(key) * of.length)] ?? expect.unreachable();
  const act = async (number: number): Promise<number> => {
    const delivery = one(known, `delivery ${number}`);
    const endpoint = `/webhook-endpoints/${one(endpoints, `endpoint ${number}`).id}`;
    const kind = random(`kind ${number}`);
    if (kind < 0.6) {
      return (await control.call(`/deliveries/${delivery.id}/redeliver`, { json: {} })).status;
    }
    if (kind < 0.97) {
      const json = { enabled: random(`enabled ${number}`) < 0.7 };
      return (await control.call(endpoint, { method: 'PATCH', json })).status;
    }
    return (await control.call(endpoint, { method: 'DELETE' })).status;
  };
  const outcomes = await Promise.all(Array.from({ length: 120 }, (_, number) => act(number)));
  expect(outcomes.filter((status) => ![200, 202, 204, 404, 409].includes(status))).toEqual([]);
  await control.expectOk(200, '/wait', { for: 'idle', timeoutMilliseconds: 60_000 });

  const deliveries = await control.deliveries();
  expect(deliveries).toHaveLength(runs.length * endpoints.length);
  expect(deliveries.filter(({ status }) => status === 'pending')).toEqual([]);
  for (const { attempts } of deliveries) {
    expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, index) => index + 1));
  }
  const rows = deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0);
  expect(listener.arrivals).toHaveLength(rows);
  expect(deliveries.some(hasManual)).toBe(true);
});

function hasManual({ attempts }: Delivery): boolean {
  return attempts.some(({ trigger }) => trigger === 'manual');
}
