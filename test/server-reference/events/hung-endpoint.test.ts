import { createServer } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { MAX_ATTEMPTS, SHARE_OF_FREE_SLOTS } from '../../../server-reference/src/events/sender.ts';
import { impatientClock, startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';

test('a hanging endpoint delays no other endpoint, and has a maximum of attempts in progress', async () => {
  const control = await startControlled({ clock: impatientClock() });
  const hung = await listenAt(() => {});
  const quick = await listenAt();
  await control.endpoint(hung.url);
  const { id } = await control.endpoint(quick.url);
  const most = MAX_ATTEMPTS * SHARE_OF_FREE_SLOTS;
  const runs = most + 5;
  for (let count = 0; count < runs; count += 1) await control.run();
  await quick.arrived(runs);
  await hung.arrived(most);
  for (const delivery of await control.deliveries(`?endpointId=${id}`)) {
    await control.expectOk(200, '/wait', { for: 'delivery', id: delivery.id, status: 'delivered' });
  }
  expect(hung.arrivals).toHaveLength(most);
  await control.advance(10_000);
  await hung.arrived(runs);
});

test('all attempts in progress have a maximum, and leave places for endpoints that respond', async () => {
  const control = await startControlled({ clock: impatientClock() });
  const hung = await listenAt(() => {});
  const quick = await listenAt();
  const [endpoints, runs] = [40, MAX_ATTEMPTS * SHARE_OF_FREE_SLOTS];
  for (let count = 0; count < endpoints; count += 1) await control.endpoint(`${hung.url}/${count}`);
  for (let count = 0; count < runs; count += 1) await control.run();
  await hung.arrived(MAX_ATTEMPTS / 2);
  const { id } = await control.endpoint(quick.url);
  for (let count = 0; count < runs; count += 1) await control.run();
  await quick.arrived(runs);
  expect(await control.settled(`?endpointId=${id}`)).toHaveLength(runs);
  expect(hung.arrivals.length).toBeLessThan(MAX_ATTEMPTS);
  expect(new Set(hung.arrivals.map(({ path }) => path)).size).toBe(endpoints);
});

test('an unknown retry profile is refused', async () => {
  const options = { store: { kind: 'memory' }, retryProfile: 'slow' };
  // @ts-expect-error -- a caller without types
  await expect(createServer(options)).rejects.toThrow(
    new TypeError('retryProfile must be one of real, fast, instant, got slow.'),
  );
});
