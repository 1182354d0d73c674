import { createServer } from 'node:http';
import { createServer as createReference } from '@hookproof/server-reference';
import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { call } from '../contract-client.ts';
import { openApp } from '../open-app.ts';
import { startControlled } from '../lab/control/control-client.ts';

test('one port serves everything unless the app address has its own', async () => {
  const { server } = await startControlled();
  expect(server.appUrl).toBe(server.baseUrl);
});

test('both addresses serve every operation, and only the base address the control interface', async () => {
  const { server, ...control } = await startControlled({ appPort: 0 });
  const { keys, fixtures } = server.world;
  const status = async (at: 'baseUrl' | 'appUrl', path: string): Promise<number> =>
    (await call(server[at], { path, key: keys.wildcard })).status;
  expect(server.appUrl).not.toBe(server.baseUrl);
  for (const at of ['baseUrl', 'appUrl'] as const) {
    for (const path of ['/auth/check', '/agents', `/runs/${fixtures.runId}`, '/automations']) {
      expect([await status(at, `/v1${path}`), await status(at, `/api/v1${path}`)]).toEqual([
        200, 200,
      ]);
    }
    for (const path of ['/api/auth/check', '/api/api/v1/agents', '/api', '/api/v1']) {
      expect(await status(at, path), path).toBe(404);
    }
    expect(await status(at, '/_storage/x')).toBe(404);
  }
  expect((await control.call('/clock')).status).toBe(200);
  expect(await status('appUrl', '/_control/clock')).toBe(404);
  const token = await call(server.appUrl, { path: '/_control/clock', key: server.controlToken });
  expect(token.status).toBe(401);
});

test('every operation is served below /v1 and /api/v1 with the same methods', async () => {
  const app = await openApp();
  const request = { method: 'OPTIONS', key: app.world.keys.wildcard } as const;
  const document = loadServerDocument();
  const paths = [...listOperations(document), ...listCompanions(document)].map(({ path }) =>
    path.replaceAll(/\{\w+\}/g, 'x').replace(/^\/api/, ''),
  );
  for (const path of new Set(paths)) {
    const allowed = async (prefix: string): Promise<unknown> => {
      const { status, headers } = await call(app.listener, { ...request, path: prefix + path });
      expect(status, prefix + path).toBe(405);
      return headers['allow'];
    };
    expect(await allowed('/api'), path).toBe(await allowed(''));
  }
  await app.close();
});

test('an address that a request through the app port gets is served there too', async () => {
  const { server } = await startControlled({ appPort: 0, redirectAboveBytes: 0 });
  const { keys, fixtures } = server.world;
  const path = `/api/v1/files/${fixtures.fileId}/content`;
  const { headers } = await call(server.appUrl, { path, key: keys.wildcard });
  const url = String(headers['location']);
  expect(url).toMatch(new RegExp(`^${server.appUrl}/_storage/`));
  expect((await call(server.appUrl, { path: url, key: null })).status).toBe(200);
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
