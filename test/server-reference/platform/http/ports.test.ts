import { createServer } from 'node:http';
import { createServer as createReference } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { startControlled } from '../../lab/control/control-client.ts';

test('one port serves everything unless the app address has its own', async () => {
  const { server } = await startControlled();
  expect(server.appUrl).toBe(server.baseUrl);
});

test('a separate app address serves only its own operations', async () => {
  const { server, ...control } = await startControlled({ appPort: 0 });
  const { keys, fixtures } = server.world;
  const key = keys.wildcard;
  const status = async (at: 'baseUrl' | 'appUrl', path: string): Promise<number> =>
    (await call(server[at], { path, key })).status;
  expect(server.appUrl).not.toBe(server.baseUrl);
  for (const path of ['/v1/auth/check', `/v1/runs/${fixtures.runId}`]) {
    expect([await status('baseUrl', path), await status('appUrl', path)]).toEqual([200, 404]);
  }
  for (const path of ['/api/v1/agents', `/api/v1/runs/${fixtures.runId}`]) {
    expect([await status('baseUrl', path), await status('appUrl', path)]).toEqual([404, 200]);
  }
  expect((await control.call('/clock')).status).toBe(200);
  expect(await status('appUrl', '/_control/clock')).toBe(404);
  expect(await status('appUrl', '/_storage/x')).toBe(404);
  const token = await call(server.appUrl, { path: '/_control/clock', key: server.controlToken });
  expect(token.status).toBe(401);
});

test('limits and faults apply to both ports together', async () => {
  const { server, ...control } = await startControlled({
    appPort: 0,
    rateLimit: { requests: 3, windowSeconds: 60 },
  });
  const key = server.world.keys.wildcard;
  await control.expectOk(201, '/api-faults', { match: {}, nth: 2, effect: { status: 500 } });
  const statuses = [];
  for (const [at, path] of [
    ['baseUrl', '/v1/auth/check'],
    ['appUrl', '/api/v1/agents'],
    ['appUrl', '/api/v1/agents'],
    ['baseUrl', '/v1/auth/check'],
  ] as const) {
    statuses.push((await call(server[at], { path, key })).status);
  }
  expect(statuses).toEqual([200, 500, 200, 429]);
});

test('a server whose second port is taken frees the first', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const [appPort, port] = [taken, free].map((one) => {
    const address = one.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await new Promise((resolve) => free.close(resolve));
  const options = { store: { kind: 'memory' }, port: port ?? 0 } as const;
  const starting = createReference({ ...options, appPort: appPort ?? 0 });
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE', port: appPort });
  taken.close();
  const again = await createReference(options);
  await again.close();
});

test.each([
  [{ port: 4010, appPort: 4010 }, 'appPort must differ from port'],
  [{ appPort: 70_000 }, 'appPort must be an integer from 0 to 65535, got 70000.'],
  [
    { rateLimit: { requests: 0, windowSeconds: 1 } },
    /^rateLimit.requests must be an integer from 1 to \d+, got 0\.$/,
  ],
  [
    { rateLimit: { requests: 1, windowSeconds: 86_401 } },
    'rateLimit.windowSeconds must be an integer from 1 to 86400, got 86401.',
  ],
])('refuses %j', async (options, message) => {
  const starting = createReference({ store: { kind: 'memory' }, ...options });
  await expect(starting).rejects.toThrow(TypeError);
  await expect(starting).rejects.toThrow(message);
});
