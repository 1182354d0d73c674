import { createServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { call } from '../contract-client.ts';
import { openApp } from '../open-app.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';

const LOCAL = ['localhost', 'LOCALHOST:4010', '127.0.0.1', '127.8.9.1:4010', '[::1]:4010'];
const REBOUND = ['evil.example', 'evil.example:4010', '127.0.0.1.evil.example', 'localhost.evil'];

test.each([
  ['loopback', { host: '127.0.0.1' }, LOCAL, [...REBOUND, 'platform:4010', '10.0.0.7']],
  ['loopback of IPv6', { host: '::1' }, LOCAL, [...REBOUND, '[::2]:4010']],
  [
    'all addresses',
    { host: '0.0.0.0' },
    [...LOCAL, 'platform:4010', '10.0.0.7:4010', '[fd00::7]', '0.0.0.0'],
    REBOUND,
  ],
  ['one name', { host: 'box.lan' }, [...LOCAL, 'box.lan:4010'], [...REBOUND, 'other.lan']],
  [
    'loopback with allowed hosts',
    { allowedHosts: ['platform.test', '10.0.0.7'] },
    [...LOCAL, 'Platform.Test:80', '10.0.0.7:4010'],
    [...REBOUND, 'sub.platform.test', '10.0.0.8'],
  ],
])('a server on %s serves its own hosts only', async (_where, options, served, refused) => {
  const app = await openApp(options);
  onTestFinished(() => app.close());
  const status = async (path: string, host: string): Promise<unknown> =>
    (await call(app.listener, { path, key: app.world.keys.wildcard, headers: { host } })).status;
  for (const host of served)
    expect([host, await status('/v1/auth/check', host)]).toEqual([host, 200]);
  for (const host of refused) {
    for (const path of ['/v1/auth/check', '/_storage/files/x', '/nowhere']) {
      expect([host, path, await status(path, host)]).toEqual([host, path, 421]);
    }
    expect([host, await status('/_control/world', host)]).toEqual([host, 403]);
  }
});

test('a refused host gets the envelope, before the key is read', async () => {
  const app = await openApp();
  onTestFinished(() => app.close());
  const headers = { host: 'evil.example' };
  const { status, body } = await call(app.listener, { path: '/v1/auth/check', key: null, headers });
  expect(status).toBe(421);
  expect(body.issues).toEqual([
    {
      field: '<root>',
      code: 'misdirected_request',
      message: 'the Host header must be an address of this server',
      severity: 'error',
    },
  ]);
  expect(body.hint).toContain('--allow-host');
});

test('no upload address names a foreign host', async () => {
  const server = await createServer({ store: { kind: 'memory' } });
  onTestFinished(() => server.close());
  const body = JSON.stringify({ filename: 'a', contentType: 'text/plain', size: 1 });
  const head = (host: string): string =>
    `POST /v1/files/uploads HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.world.keys.wildcard}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const [own] = wholeResponses(await exchange(server.baseUrl, head('localhost:1234')));
  expect(own?.body.url).toMatch(/^http:\/\/localhost:1234\/_storage\//);
  const [foreign] = wholeResponses(await exchange(server.baseUrl, head('evil.example')));
  expect([foreign?.status, foreign?.body.url]).toEqual([421, undefined]);
});

test('a target that is a URL, as proxies get it, is refused', async () => {
  const server = await createServer({ store: { kind: 'memory' } });
  onTestFinished(() => server.close());
  for (const path of ['/v1/auth/check', '/_control/world', '/_dashboard/']) {
    const head = `GET http://evil.example${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const [response] = wholeResponses(await exchange(server.baseUrl, head));
    expect([path, response?.status]).toEqual([path, 400]);
  }
});

test.each(['evil.example:80', 'a b', ''])('allowedHosts refuses %j', async (host) => {
  const starting = createServer({ store: { kind: 'memory' }, allowedHosts: [host] });
  await expect(starting).rejects.toThrow(
    new TypeError(`allowedHosts must contain names or addresses without a port, got '${host}'.`),
  );
});
