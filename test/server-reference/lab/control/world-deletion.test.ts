import { realClock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { startControlled } from './control-client.ts';

test('a deleted world takes its endpoints, keys and deliveries with it', async () => {
  const control = await startControlled();
  const { id: worldId } = await control.expectOk<{ id: string }>(201, '/worlds', { label: 'mine' });
  await control.endpoint('http://127.0.0.1:9/', { worldId });
  await control.run({ worldId });
  const worlds = { data: [{}, { id: worldId, label: 'mine' }] };
  expect(await control.expectOk(200, '/worlds')).toMatchObject(worlds);
  const path = `/worlds/${worldId}`;
  expect(await control.call(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
  for (const list of ['/webhook-endpoints', '/deliveries', '/events', `/keys?worldId=${worldId}`]) {
    expect(await control.expectOk(200, list), list).toEqual({ data: [] });
  }
  expect(await control.expectOk(200, '/worlds')).toMatchObject({ data: [{}] });
  await control.expectError(404, path, { method: 'DELETE' });
});

test('limits with an end fall back to those without one, faults with an end disappear', async () => {
  const control = await startControlled({ clock: realClock() });
  const lasting = { rateLimit: { requests: 500, windowSeconds: 60 } };
  const limit = (json: object) => control.call('/limits', { method: 'PATCH', json });
  await limit(lasting);
  const ending = { accounting: 'unavailable', expiresInMilliseconds: 50 };
  expect((await limit(ending)).body).toMatchObject({ accounting: 'unavailable' });
  const end = { expiresInMilliseconds: 50 };
  await control.expectOk(201, '/api-faults', { match: {}, effect: { status: 500 }, ...end });
  await control.expectOk(201, '/delivery-faults', { name: 'delay', ...end });
  const state = () =>
    Promise.all(
      ['/limits', '/api-faults', '/delivery-faults'].map((path) => control.expectOk(200, path)),
    );
  const none = { data: [] };
  await expect.poll(state).toEqual([{ ...lasting, accounting: 'available' }, none, none]);
});
