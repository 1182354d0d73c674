import type { ApiRequestDetail, RunDetail, WebhookEndpoint } from '@hookproof/spec/control';
import { describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { openControlled, startControlled } from './control-client.ts';

test('an endpoint counts the successes of the last 50 attempts', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(500, 200));
  const endpoint = await control.endpoint(listener.url);
  const unused = await control.endpoint('http://127.0.0.1:1/', {
    worldId: (await control.expectOk<{ id: string }>(201, '/worlds', {})).id,
  });
  for (let sent = 0; sent < 60; sent += 1) {
    await control.call(`/webhook-endpoints/${endpoint.id}/test`, { json: {} });
  }
  await control.idle();
  const path = '/webhook-endpoints';
  const { data } = await control.expectOk<{ data: WebhookEndpoint[] }>(200, path);
  expect(data).toMatchObject([
    { id: endpoint.id, recent: { attempts: 50, last: { number: 1, status: 200, error: null } } },
    { id: unused.id, recent: { attempts: 0, succeeded: 0, last: null } },
  ]);
  expect(data[0]?.recent?.succeeded).toBeGreaterThanOrEqual(49);
  const query = `?worldId=${unused.worldId}`;
  expect(await control.expectOk(200, `${path}${query}`)).toEqual({ data: [data[1]] });
});

test('an endpoint can be read with its secret', async () => {
  const control = await openControlled();
  const endpoint = await control.endpoint('http://127.0.0.1:1/');
  const recent = { attempts: 0, succeeded: 0, last: null };
  const path = `/webhook-endpoints/${endpoint.id}`;
  expect(await control.expectOk(200, path)).toEqual({ ...endpoint, recent });
});

test('a world can be read with its keys and fixtures', async () => {
  const control = await openControlled();
  const world = await control.expectOk<{ id: string }>(201, '/worlds', {});
  expect(await control.expectOk(200, `/world?worldId=${world.id}`)).toEqual(world);
});

test('a run can be read with its output, its statuses, its allowed moves and what is scheduled', async () => {
  const control = await openControlled();
  const later = { status: 'running', afterMilliseconds: 5_000 };
  const run = await control.run({
    status: 'created',
    output: { pallets: 12 },
    scheduledTransitions: [
      { ...later, status: 'pending' },
      { ...later, afterMilliseconds: 5_000 },
    ],
  });
  await control.advance(5_000);
  const path = `/runs/${run.id}`;
  const read = await control.expectOk<RunDetail>(200, path);
  expect(read).toMatchObject({
    id: run.id,
    status: 'pending',
    output: { pallets: 12 },
    allowedMoves: expect.arrayContaining(['running']),
    history: [{ status: 'created' }, { status: 'pending', at: '2026-07-01T00:00:05.000Z' }],
    scheduledTransitions: [{ status: 'running', at: '2026-07-01T00:00:10.000Z' }],
  });
});

describe('a request', () => {
  test('has its query, headers and both bodies, with a shortened key', async () => {
    const control = await openControlled();
    const { listener, world } = control.app;
    const key = world.keys.wildcard;
    const path = '/v1/runs?x=1';
    const body = { workflow: 7 };
    const { headers } = await call(listener, { path, method: 'POST', json: body, key });
    const id = String(headers['x-request-id']);
    const detail = await control.expectOk<ApiRequestDetail>(200, `/requests/${id}`);
    expect(detail).toMatchObject({
      request: { id, method: 'POST', path: '/v1/runs', status: 400 },
      query: 'x=1',
      requestBody: JSON.stringify(body),
    });
    expect(detail.responseBody).toContain(id);
    expect(detail.responseHeaders).toContainEqual(['x-request-id', id]);
    expect(JSON.stringify(detail)).not.toContain(key);
  });

  test('has the first 4096 bytes of a large body, and the hint of a refusal', async () => {
    const control = await openControlled();
    const { listener, world } = control.app;
    const json = { filler: 'x'.repeat(10_000) };
    const options = { path: '/v1/runs', method: 'POST', json, key: world.keys.wildcard } as const;
    await call(listener, options);
    await call(listener, { path: '/v1/agents?limit=0', key: world.keys.wildcard });
    const { data } = await control.expectOk<{ data: { id: string }[] }>(200, '/requests');
    const [large, refused] = await Promise.all(
      data.map(({ id }) => control.expectOk<ApiRequestDetail>(200, `/requests/${id}`)),
    );
    expect(large?.requestBody).toHaveLength(4_096);
    expect(refused).toMatchObject({ requestBody: null, hint: expect.stringContaining('limit') });
  });
});
