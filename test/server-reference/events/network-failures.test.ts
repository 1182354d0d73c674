import { describe, expect, test } from 'vitest';

import { refusingPort } from '../../refusing-port.ts';
import { impatientClock, startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';
import { rawEndpoint } from './raw-endpoint.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

const NOT_HTTP = {
  'the bytes of SSH': 'SSH-2.0-what\r\n',
  'bytes at random': Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256)),
  'no head, as HTTP/0.9': '<html>ok</html>',
  'two lengths': `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`,
  'a length and chunks': `${OK}Content-Length: 2\r\n${CHUNKED}\r\n0\r\n\r\n`,
  'a broken chunk': `${OK}${CHUNKED}\r\nzz\r\nok\r\n`,
  'a header of 70 KB': `${OK}${'x'.repeat(70_000)}: y\r\nContent-Length: 0\r\n\r\n`,
};

/** What happens, the URL of an endpoint where it happens, and the error and its detail. */
type Row = [what: string, begin: () => Promise<string>, error: RegExp, detail: RegExp];

describe('a network failure is recorded with its code and message, and the delivery is retried', () => {
  test.each<Row>([
    [
      'no process listens',
      async () => `http://127.0.0.1:${await refusingPort()}/`,
      /^ECONNREFUSED$/,
      /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
    ],
    [
      'no process listens at any address of the name',
      async () => `http://localhost:${await refusingPort()}/`,
      /^ECONNREFUSED$/,
      /^connect ECONNREFUSED (::1|127\.0\.0\.1):\d+(; connect ECONNREFUSED 127\.0\.0\.1:\d+)?$/,
    ],
    [
      'the name is unknown',
      async () => 'http://endpoint.invalid/',
      /^(ENOTFOUND|EAI_AGAIN)$/,
      /^getaddrinfo (ENOTFOUND|EAI_AGAIN) endpoint\.invalid$/,
    ],
    [
      'the connection is reset before the response',
      () => rawEndpoint((socket) => socket.resetAndDestroy()),
      /^ECONNRESET$/,
      /ECONNRESET|socket hang up/,
    ],
    [
      'the connection is closed before the response',
      () => rawEndpoint((socket) => socket.end()),
      /^ECONNRESET$/,
      /^socket hang up$/,
    ],
    [
      'the connection is closed within the head',
      () => rawEndpoint((socket) => socket.end(`${OK}Content-Le`)),
      /^(ECONNRESET|HPE_INVALID_EOF_STATE)$/,
      /socket hang up|Parse Error/,
    ],
    [
      'the connection is reset after the head',
      () =>
        rawEndpoint((socket) =>
          socket.write(`${OK}Content-Length: 9\r\n\r\n`, () => socket.resetAndDestroy()),
        ),
      /^ECONNRESET$/,
      /ECONNRESET|aborted/,
    ],
    [
      'the connection is closed within the body',
      () => rawEndpoint((socket) => socket.end(`${OK}Content-Length: 9\r\n\r\nhalf`)),
      /^ECONNRESET$/,
      /^aborted$/,
    ],
    [
      'the connection is closed within the chunks',
      () => rawEndpoint((socket) => socket.end(`${OK}${CHUNKED}\r\n9\r\nhalf`)),
      /^(ECONNRESET|HPE_INVALID_EOF_STATE)$/,
      /aborted|Parse Error/,
    ],
    ...Object.entries(NOT_HTTP).map(([what, bytes]): Row => [
      `the response has ${what}`,
      () => rawEndpoint((socket) => socket.end(bytes)),
      /^(HPE_|ECONNRESET$)/,
      /^Parse Error: |ECONNRESET|socket hang up/,
    ]),
    [
      'the endpoint does not use TLS',
      async () => (await listenAt()).url.replace('http:', 'https:'),
      /^(EPROTO|ERR_SSL_)/,
      /wrong version number|SSL/,
    ],
  ])('%s', async (_what, begin, error, detail) => {
    const control = await startControlled({ clock: impatientClock(), retryProfile: 'real' });
    await control.endpoint(await begin());
    await control.run();
    await control.idle();
    const { attempts, ...delivery } = await control.onlyDelivery();
    expect(delivery).toMatchObject({
      status: 'pending',
      endReason: null,
      nextAttemptAt: expect.stringMatching(/^2026-07-01T00:00:0[2-5]/),
    });
    expect(attempts).toMatchObject([
      {
        number: 1,
        status: null,
        error: expect.stringMatching(error),
        detail: expect.stringMatching(detail),
        retryAfter: null,
        responseBody: null,
      },
    ]);
  });
});
