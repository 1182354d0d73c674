import type { ApiRequest, World } from '@hookproof/spec/control';
import supertest from 'supertest';
import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openControlled } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

async function requests(control: ControlClient, query = ''): Promise<ApiRequest[]> {
  return (await control.expectOk<{ data: ApiRequest[] }>(200, `/requests${query}`)).data;
}

type Request = Parameters<typeof call>[1];

test.each<[ApiRequest['refusedAt'], string | null, Omit<Request, 'key'>, keyName?: string]>([
  ['form', 'malformed_request', { path: '/v1/agents%zz' }],
  ['signature', 'address_invalid', { path: '/_storage/files/x' }],
  ['key', 'unauthorized', { path: '/v1/agents' }, 'none'],
  ['route', 'not_found', { path: '/v1/nothing' }],
  ['route', 'method_not_allowed', { path: '/v1/agents', method: 'DELETE' }],
  ['scope', 'forbidden', { path: '/v1/agents' }, 'ocr'],
  ['validation', 'invalid_value', { path: '/v1/agents?limit=0' }],
  ['handler', 'not_found', { path: '/v1/runs/nothing' }],
  [null, null, { path: '/v1/agents' }],
])(
  'a request that is refused at %s with %s is listed with both',
  async (step, code, sent, name) => {
    const control = await openControlled();
    const { keys } = control.app.world;
    const key = name === 'none' ? null : name === 'ocr' ? keys.ocr : keys.wildcard;
    const { status, headers } = await call(control.app.listener, { ...sent, key });
    const path = sent.path.split('?')[0];
    expect(await requests(control)).toMatchObject([
      { id: headers['x-request-id'], path, status, refusedAt: step, code, milliseconds: 0 },
    ]);
  },
);

test('the OpenAPI document is read, and not listed', async () => {
  const control = await openControlled();
  const { listener, world } = control.app;
  await supertest(listener).get('/openapi.json').expect(200);
  await call(listener, { path: '/v1/agents', key: world.keys.wildcard });
  expect(await requests(control)).toMatchObject([{ path: '/v1/agents' }]);
});

test('a rate limit and an API fault are steps that refuse', async () => {
  const control = await openControlled({ rateLimit: { requests: 1, windowSeconds: 60 } });
  const { listener, world } = control.app;
  const order = { match: {}, effect: { status: 500 } };
  await control.expectOk(201, '/api-faults', order);
  for (let sent = 0; sent < 2; sent += 1) {
    await call(listener, { path: '/v1/auth/check', key: world.keys.wildcard });
  }
  expect(await requests(control)).toMatchObject([
    { refusedAt: 'fault', code: 'injected_fault', status: 500 },
    { refusedAt: 'limit', code: 'rate_limited', status: 429 },
  ]);
});

test('a request has its operation, key and tenant, without its query', async () => {
  const control = await openControlled();
  const { listener, world } = control.app;
  await call(listener, { path: '/v1/agents?search=secret', key: world.keys.wildcard });
  const [request] = await requests(control);
  expect(request).toMatchObject({
    method: 'GET',
    path: '/v1/agents',
    operationId: 'listAgents',
    tenantId: world.tenantId,
    status: 200,
  });
  expect(JSON.stringify(request)).not.toContain(world.keys.wildcard);
  const keys = await control.expectOk<{ data: { id: string; key: string }[] }>(200, '/keys');
  const key = keys.data.find(({ id }) => id === request?.keyId);
  expect(key?.key).toBe(world.keys.wildcard);
});

test('requests are filtered by key and by step; those of the control interface are not listed', async () => {
  const control = await openControlled();
  const { listener, world } = control.app;
  await call(listener, { path: '/v1/agents', key: world.keys.wildcard });
  await call(listener, { path: '/v1/agents', key: world.keys.ocr });
  const [first, second] = await requests(control);
  expect(await requests(control, `?keyId=${String(first?.keyId)}`)).toEqual([first]);
  expect(await requests(control, '?refusedAt=scope')).toEqual([second]);
});

test('requests are filtered by the world of their key', async () => {
  const control = await openControlled();
  const { listener, world } = control.app;
  const other = await control.expectOk<World>(201, '/worlds', {});
  await call(listener, { path: '/v1/agents', key: world.keys.otherTenant });
  await call(listener, { path: '/v1/agents', key: other.keys.wildcard });
  await call(listener, { path: '/v1/agents', key: null });
  const [own, foreign, without] = await requests(control);
  expect([own, foreign, without].map((one) => one?.worldId)).toEqual([world.id, other.id, null]);
  expect(await requests(control, `?worldId=${world.id}`)).toEqual([own]);
  expect(await requests(control, `?worldId=${other.id}`)).toEqual([foreign]);
});
