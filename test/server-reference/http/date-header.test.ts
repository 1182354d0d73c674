import { expect, test } from 'vitest';

import { call } from '../contract-client.ts';
import { openControlled } from '../lab/control/control-client.ts';

test('the Date of every response is the time of the clock', async () => {
  const control = await openControlled();
  const { listener, world } = control.app;
  const dates = async (): Promise<unknown[]> => {
    const responses = [
      await call(listener, { path: '/v1/auth/check', key: world.keys.wildcard }),
      await call(listener, { path: '/v1/auth/check', key: null }),
      await call(listener, { path: '/v1/nothing', key: world.keys.wildcard }),
      await control.call('/clock'),
    ];
    return [...new Set(responses.map(({ headers }) => headers['date']))];
  };
  expect(await dates()).toEqual(['Wed, 01 Jul 2026 00:00:00 GMT']);
  await control.advance(86_400_999);
  expect(await dates()).toEqual(['Thu, 02 Jul 2026 00:00:00 GMT']);
});
