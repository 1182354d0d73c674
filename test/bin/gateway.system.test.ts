import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { listeningPort } from '../listening-port.ts';
import { hookproof, hookproofProcess } from './hookproof.ts';

const ONLY = ['--only', 'api.auth-check'];
const KEY = 'hpk_of_this_test_0123456789';

/** An API that refuses every key, and the headers of the requests that reached it. */
async function startApi(
  respond: RequestListener = (_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"issues":[]}');
  },
): Promise<{ readonly port: number; readonly seen: readonly IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    respond(request, response);
  });
  return { port: await listeningPort(server), seen };
}

/** A proxy that knows one host, and the hosts that it was asked for. */
async function startProxy(
  port: number,
): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const one of [target, socket]) one.on('error', () => {});
  });
  return { url: `http://127.0.0.1:${await listeningPort(server)}`, asked };
}

describe('an API behind a proxy and a gateway', () => {
  test('is reached through HTTP_PROXY, with a name and a header that no output shows', async () => {
    const api = await startApi();
    const proxy = await startProxy(api.port);
    const target = [
      '--base-url',
      'http://api.nowhere.test',
      '--header',
      'X-Gate=gate-token-0123456',
    ];
    const { stdout } = await hookproofProcess(['check', ...target, ...ONLY, '--json'], {
      env: { HOOKPROOF_KEY: KEY, HTTP_PROXY: proxy.url },
    });
    expect(new Set(proxy.asked)).toEqual(new Set(['api.nowhere.test:80']));
    expect(api.seen[0]).toMatchObject({
      'x-gate': 'gate-token-0123456',
      'user-agent': expect.stringMatching(/^hookproof\/\d+\.\d+\.\d+ \(conformance suite\)$/),
    });
    expect(stdout).not.toContain('gate-token');
  });

  test('is reached without the proxy on this machine and on a host of NO_PROXY', async () => {
    const api = await startApi();
    const proxy = await startProxy(api.port);
    for (const host of ['127.0.0.1', 'localhost', 'api.nowhere.test']) {
      await hookproofProcess(['check', '--base-url', `http://${host}:${api.port}`, ...ONLY], {
        env: { HOOKPROOF_KEY: KEY, HTTP_PROXY: proxy.url, NO_PROXY: 'api.nowhere.test' },
      });
    }
    expect(api.seen.length).toBeGreaterThan(0);
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    [
      'a redirect',
      302,
      { location: 'https://login.example.com/' },
      '302, a redirect to https://login.example.com/',
    ],
    ['Basic authentication', 401, { 'www-authenticate': 'Basic realm="x"' }, 'asks for Basic'],
  ])('%s in front of it is named', async (_name, status, headers, message) => {
    const api = await startApi((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<p>no</p>');
    });
    const target = ['--base-url', `http://127.0.0.1:${api.port}`];
    const { stdout, code } = await hookproof(['check', ...target, ...ONLY], {
      env: { HOOKPROOF_KEY: KEY },
    });
    expect(stdout).toContain(message);
    expect(code).toBe(4);
  });
});
