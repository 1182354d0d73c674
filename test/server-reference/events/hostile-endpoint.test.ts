import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { MAX_INTERIM_RESPONSES } from '../../../server-reference/src/events/post.ts';
import { impatientClock, startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';
import { rawEndpoint } from './raw-endpoint.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const NO_BODY = 'Content-Length: 0\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\n\r\n';

describe('a complete response counts, whatever follows it', () => {
  test.each([
    ['204 with a body', `HTTP/1.1 204 No Content\r\n\r\nhello`, 204, ''],
    ['204 with a length', `HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello`, 204, ''],
    [
      'a body longer than its Content-Length',
      `${OK}Content-Length: 2\r\n\r\nhello world`,
      200,
      'he',
    ],
    ['a second response', `${OK}${NO_BODY}HTTP/1.1 503 No\r\n${NO_BODY}`, 200, ''],
    ['after 16 interim responses', HINTS.repeat(16) + OK + NO_BODY, 200, ''],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', 200, 'hello'],
  ])('%s', async (_what, bytes, status, responseBody) => {
    const control = await startControlled();
    await control.endpoint(await rawEndpoint((socket) => socket.end(bytes)));
    await control.run();
    await control.idle();
    expect(await control.onlyDelivery()).toMatchObject({
      status: 'delivered',
      attempts: [{ status, error: null, responseBody }],
    });
  });

  const upgrade = '101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x';
  test.each([upgrade, '304 Not Modified', '407 Proxy', '600 What', '999 What', '000 What'])(
    '%s is final',
    async (line) => {
      const control = await startControlled();
      await control.endpoint(
        await rawEndpoint((socket) => socket.end(`HTTP/1.1 ${line}\r\n${NO_BODY}`)),
      );
      await control.run();
      await control.advance(60_000);
      const { status, attempts } = await control.onlyDelivery();
      expect([status, attempts.length, attempts[0]?.status]).toEqual(['ended', 1, parseInt(line)]);
    },
  );
});

test.each(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'])(
  'endless interim responses are cut off at once: %j',
  async (interim) => {
    const control = await startControlled();
    let endless = true;
    const url = await rawEndpoint((socket) => {
      const more = (): void => {
        if (!socket.destroyed) socket.write(interim.repeat(100), () => setImmediate(more));
      };
      if (endless) more();
      else socket.end(interim.repeat(MAX_INTERIM_RESPONSES) + OK + NO_BODY);
      endless = false;
    });
    await control.endpoint(url);
    await control.run();
    await control.advance(1_000);
    expect(await control.onlyDelivery()).toMatchObject({
      status: 'delivered',
      attempts: [{ status: null, error: 'too_many_interim_responses' }, { status: 200 }],
    });
  },
);

test('a response after 17 interim responses is a network failure', async () => {
  const control = await startControlled();
  await control.endpoint(
    await rawEndpoint((socket) => socket.end(HINTS.repeat(17) + OK + NO_BODY)),
  );
  await control.run();
  await control.idle();
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { status: null, error: 'too_many_interim_responses' },
  ]);
});

test.each([
  ['the head', `${OK}x-drip: `],
  ['the body', `${OK}Content-Length: 4000\r\n\r\n`],
  ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n`],
])('a response that drips in %s ends at the deadline', async (where, start) => {
  const control = await startControlled({ clock: impatientClock() });
  const url = await rawEndpoint((socket) => {
    socket.write(start);
    const drip = setInterval(() => socket.write(where === 'chunks' ? '1\r\na\r\n' : 'a'), 5);
    socket.on('close', () => clearInterval(drip));
  });
  await control.endpoint(url);
  await control.run();
  await control.advance(9_999);
  expect((await control.onlyDelivery()).attempts).toEqual([]);
  await control.advance(1);
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { status: null, error: 'timeout', finishedAt: '2026-07-01T00:00:10.000Z' },
  ]);
});

test.each([
  'http://169.254.169.254/latest/meta-data/',
  '//169.254.169.254/',
  'http://[fd00:ec2::254]/',
  'file:///etc/passwd',
  '/_control/worlds',
])('a redirect to %s is not followed', async (location) => {
  const control = await startControlled();
  const listener = await listenAt((response) => response.writeHead(307, { location }).end());
  await control.endpoint(listener.url);
  await control.run();
  await control.advance(60_000);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'ended',
    endReason: 'redirect_not_followed',
    attempts: [{ number: 1, status: 307 }],
  });
  expect(listener.arrivals).toHaveLength(1);
});

test('a repeated Retry-After is ignored', async () => {
  const control = await startControlled();
  const url = await rawEndpoint((socket) =>
    socket.end(`HTTP/1.1 503 No\r\nRetry-After: 60\r\nRetry-After: 120\r\n${NO_BODY}`),
  );
  await control.endpoint(url);
  await control.run();
  await control.advance(400);
  const { attempts } = await control.onlyDelivery();
  expect(attempts.map(({ retryAfter }) => retryAfter)).toEqual([null, null]);
});

test.each([
  ['short', 4_095],
  ['of exactly the maximum', 4_096],
  ['longer', 4_097],
])('a body that is %s is kept up to 4096 bytes', async (_how, size) => {
  const control = await startControlled();
  const url = await rawEndpoint((socket) =>
    socket.end(`${OK}Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`),
  );
  await control.endpoint(url);
  await control.run();
  await control.idle();
  const { attempts } = await control.onlyDelivery();
  expect(attempts[0]?.responseBody).toBe('x'.repeat(Math.min(size, 4_096)));
});

test('a compressed body is kept compressed', async () => {
  const control = await startControlled();
  const bomb = gzipSync(Buffer.alloc(8_000_000));
  const url = await rawEndpoint((socket) => {
    socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.byteLength}\r\n\r\n`);
    socket.end(bomb);
  });
  await control.endpoint(url);
  await control.run();
  await control.idle();
  const { status, attempts } = await control.onlyDelivery();
  expect(status).toBe('delivered');
  expect(attempts[0]?.responseBody).toBe(bomb.toString('utf8', 0, 4_096));
});

test('a reused connection that closes is a network failure with its own row', async () => {
  const control = await startControlled();
  let requests = 0;
  const url = await rawEndpoint((socket) => {
    requests += 1;
    if (requests === 2) socket.resetAndDestroy();
    else socket.write(OK + NO_BODY);
  });
  await control.endpoint(url);
  await control.run();
  await control.idle();
  await control.run();
  await control.advance(1_000);
  const [, second] = await control.deliveries();
  expect(second).toMatchObject({
    status: 'delivered',
    attempts: [{ status: null, error: 'ECONNRESET' }, { status: 200 }],
  });
  expect(requests).toBe(3);
});

test('custom headers are sent as configured, whatever their names and characters', async () => {
  const control = await startControlled();
  const requests: string[] = [];
  const url = await rawEndpoint((socket, request) => {
    requests.push(request.toString('latin1'));
    socket.end(OK + NO_BODY);
  });
  await control.endpoint(url, {
    headers: JSON.parse('{"__proto__":"x","X-Umlaut":"\u00fc\u00df"}'),
  });
  await control.run({ output: 'snow: \u2603' });
  await control.idle();
  const [head = '', body = ''] = (requests[0] ?? '').split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining(['__proto__: x', 'X-Umlaut: \u00fc\u00df']),
  );
  expect(Buffer.from(body, 'latin1').toString('utf8')).toContain('snow: \u2603');
});
