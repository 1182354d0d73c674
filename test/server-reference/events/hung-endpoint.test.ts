import { createServer } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { MAX_ATTEMPTS } from '../../../server-reference/src/events/delivery-queue.ts';
import { impatientClock, startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';

test('a hanging endpoint delays no other endpoint, and has a maximum of attempts in progress', async () => {
  const control = await startControlled({ clock: impatientClock() });
  const hung = await listenAt(() => {});
  const quick = await listenAt();
  await control.endpoint(hung.url);
  const { id } = await control.endpoint(quick.url);
  const runs = MAX_ATTEMPTS + 5;
  for (let count = 0; count < runs; count += 1) await control.run();
  await quick.arrived(runs);
  await hung.arrived(MAX_ATTEMPTS);
  for (const delivery of await control.deliveries(`?endpointId=${id}`)) {
    await control.expectOk(200, '/wait', { for: 'delivery', id: delivery.id, status: 'delivered' });
  }
  expect(hung.arrivals).toHaveLength(MAX_ATTEMPTS);
  await control.advance(10_000);
  await hung.arrived(runs);
});

test('an unknown retry profile is refused', async () => {
  const options = { store: { kind: 'memory' }, retryProfile: 'slow' };
  // @ts-expect-error -- a caller without types
  await expect(createServer(options)).rejects.toThrow(
    new TypeError('retryProfile must be one of real, fast, instant, got slow.'),
  );
});
