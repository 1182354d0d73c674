import { createServer } from '@hookproof/server-reference';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';

interface Called {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function withServer(
  work: (
    call: (method: Dispatcher.HttpMethod, path: string, json?: object) => Promise<Called>,
  ) => Promise<void>,
): Promise<void> {
  const server = await createServer({ store: { kind: 'memory' } });
  const headers = {
    authorization: `Bearer ${server.controlToken}`,
    'content-type': 'application/json',
  };
  try {
    await work(async (method, path, json) => {
      const body = json === undefined ? null : JSON.stringify(json);
      const called = await request(server.controlUrl + path, { method, headers, body });
      const text = await called.body.text();
      return { status: called.statusCode, body: text === '' ? {} : JSON.parse(text) };
    });
  } finally {
    await server.close();
  }
}

test('a deleted world takes its endpoints, keys and deliveries with it', async () => {
  await withServer(async (call) => {
    const { body: world } = await call('POST', '/worlds', { label: 'mine' });
    const worldId = String(world['id']);
    await call('POST', '/webhook-endpoints', { worldId, url: 'http://127.0.0.1:9/' });
    await call('POST', '/runs', { worldId });
    const listed = await call('GET', '/worlds');
    expect(listed.body['data']).toMatchObject([{}, { id: worldId, label: 'mine' }]);

    expect(await call('DELETE', `/worlds/${worldId}`)).toMatchObject({ status: 204 });
    for (const path of ['/webhook-endpoints', '/deliveries', '/events']) {
      expect((await call('GET', path)).body['data']).toEqual([]);
    }
    expect((await call('GET', '/worlds')).body['data']).toHaveLength(1);
    expect(await call('DELETE', `/worlds/${worldId}`)).toMatchObject({ status: 404 });
  });
});

test('the default world cannot be deleted', async () => {
  await withServer(async (call) => {
    const { body: world } = await call('GET', '/world');
    const refused = await call('DELETE', `/worlds/${String(world['id'])}`);
    expect(refused).toMatchObject({ status: 409, body: { issues: [{ code: 'default_world' }] } });
  });
});

test('limits with an end fall back to those without one, faults with an end disappear', async () => {
  await withServer(async (call) => {
    const lasting = { rateLimit: { requests: 500, windowSeconds: 60 } };
    await call('PATCH', '/limits', lasting);
    const ending = { accounting: 'unavailable', expiresInMilliseconds: 50 };
    expect((await call('PATCH', '/limits', ending)).body['accounting']).toBe('unavailable');
    const effect = { match: {}, effect: { status: 500 }, expiresInMilliseconds: 50 };
    expect((await call('POST', '/api-faults', effect)).status).toBe(201);
    const fault = { name: 'delay', expiresInMilliseconds: 50 };
    expect((await call('POST', '/delivery-faults', fault)).status).toBe(201);

    const state = async () => [
      (await call('GET', '/limits')).body,
      (await call('GET', '/api-faults')).body['data'],
      (await call('GET', '/delivery-faults')).body['data'],
    ];
    await expect.poll(state).toEqual([{ ...lasting, accounting: 'available' }, [], []]);
  });
});
