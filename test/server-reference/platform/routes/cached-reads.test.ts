import { virtualClock } from '@hookproof/server-reference';
import { afterAll, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const clock = virtualClock({ now: Date.parse('2026-07-01T12:00:00Z') });
const app = await openApp({ clock });
afterAll(() => app.close());
const { keys, fixtures } = app.world;

async function list(path: string, key: string = keys.wildcard): Promise<string> {
  const { status, bytes } = await call(app.listener, { path, key });
  expect(status).toBe(200);
  return bytes.toString();
}

test.each([
  '/v1/dataset-review-requests',
  '/v1/templates',
  '/api/v1/agents',
  '/v1/automations',
  '/v1/runs',
])('%s is the same twice, and another one for another tenant or page', async (path) => {
  const first = await list(path);
  expect(await list(path)).toBe(first);
  expect(await list(`${path}?unknown=1`)).toBe(first);
  expect(await list(path, keys.otherTenant)).not.toBe(first);
  expect(await list(`${path}?limit=1&offset=1`)).not.toBe(first);
  expect(await list(path)).toBe(first);
});

test('a list shows a commit at once', async () => {
  const before = await list('/v1/automations');
  const path = `/v1/automations/${fixtures.workflowId}`;
  const json = { folderPath: 'Moved' };
  await call(app.listener, { method: 'PATCH', path, key: keys.wildcard, json });
  const after = await list('/v1/automations');
  expect(after).not.toBe(before);
  expect(after).toContain('"Moved"');
});

test('a list by relative times moves with the clock', async () => {
  const json = { target: fixtures.workflowId };
  const started = await call(app.listener, {
    method: 'POST',
    path: '/v1/runs',
    key: keys.wildcard,
    json,
  });
  await clock.advance(60_000);
  const path = '/v1/runs?from=now-1h';
  expect(await list(path)).toContain(started.body.id);
  await clock.advance(3_600_000);
  expect(await list(path)).not.toContain(started.body.id);
});
