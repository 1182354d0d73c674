import { readFile } from 'node:fs/promises';

import { expect, onTestFinished, test } from 'vitest';

import { openApp } from '../open-app.ts';
import { send } from '../send.ts';

const FILE = new URL(import.meta.resolve('@hookproof/server-reference/openapi.json'));

test('GET /openapi.json is the self-contained document with the address of the server, without a key', async () => {
  const app = await openApp();
  onTestFinished(() => app.close());
  const get = { method: 'GET', path: '/openapi.json' } as const;
  const headers = { host: 'localhost:4010' };
  const { status, headers: received, bytes } = await send(app.listener, { ...get, headers });
  expect([status, received['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const document = JSON.parse(await readFile(FILE, 'utf8'));
  const servers = [{ url: 'http://localhost:4010' }];
  expect(JSON.parse(String(bytes))).toEqual({ ...document, servers });

  const head = await send(app.listener, { ...get, method: 'HEAD', headers });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  const foreign = await send(app.listener, { ...get, headers: { host: 'evil.example' } });
  expect(foreign.status).toBe(421);
  const post = { ...get, method: 'POST', headers } as const;
  expect(await send(app.listener, post)).toMatchObject({
    status: 405,
    headers: { allow: 'HEAD, GET' },
  });
});
