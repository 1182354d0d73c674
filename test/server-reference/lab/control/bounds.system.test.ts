import type { AttemptDetail } from '@hookproof/spec/control';
import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { openControlled } from './control-client.ts';

test('the requests of attempts are kept up to 8 MiB, those of the newest', async () => {
  const control = await openControlled();
  await control.endpoint((await listenAt()).url);
  const output = 'x'.repeat(200_000);
  for (let run = 0; run < 45; run += 1) await control.run({ status: 'completed', output });
  const settled = await control.settled();
  expect(settled).toHaveLength(45);
  let kept = 0;
  for (const { id } of settled) {
    const { sent } = await control.expectOk<AttemptDetail>(200, `/deliveries/${id}/attempts/1`);
    if (sent !== null) kept += 1;
  }
  expect(kept).toBe(Math.floor((8 * 1_048_576) / 200_860));
});

test('the newest 1000 requests are listed', async () => {
  const control = await openControlled();
  const { listener, world } = control.app;
  const request = { path: '/v1/auth/check', key: world.keys.wildcard };
  for (let sent = 0; sent < 20; sent += 1) {
    await Promise.all(Array.from({ length: 51 }, () => call(listener, request)));
  }
  const { data } = await control.expectOk<{ data: unknown[] }>(200, '/requests');
  expect(data).toHaveLength(1_000);
});

test('long headers and queries leave with the oldest requests', async () => {
  const control = await openControlled();
  const path = `/v1/agents?search=${'q'.repeat(2_000)}`;
  const ids: string[] = [];
  for (let number = 0; number < 600; number += 1) {
    const headers = { 'x-long': 'h'.repeat(13_000) };
    const response = await call(control.app.listener, { path, key: null, headers });
    ids.push(String(response.headers['x-request-id']));
  }
  const statusOf = async (index: number): Promise<number> =>
    (await control.call(`/requests/${ids.at(index) ?? ''}`)).status;
  expect([await statusOf(0), await statusOf(-500), await statusOf(-1)]).toEqual([404, 200, 200]);
});
