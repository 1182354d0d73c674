import { expect, test, vi } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';
import { listenSecurely } from './counting-listener.ts';

test('an https endpoint with an untrusted certificate gets no request, and the delivery is retried', async () => {
  const listener = await listenSecurely((_request, response) => void response.writeHead(204).end());
  const control = await startControlled();
  await control.endpoint(listener.url.replace('127.0.0.1', 'localhost'));
  await control.run();
  await control.idle();
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'pending',
    attempts: [{ status: null, error: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  });
  expect(listener.came).toEqual([]);
});

test('deliveries one after the other share one TLS connection', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const listener = await listenSecurely((_request, response) => void response.writeHead(204).end());
  const control = await startControlled();
  await control.endpoint(listener.url);
  for (let run = 0; run < 40; run += 1) {
    await control.run();
    await control.idle();
  }
  expect(listener.came).toEqual(Array(40).fill(0));
});
