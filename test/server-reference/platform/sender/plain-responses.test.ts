import type { Socket } from 'node:net';

import { expect, test } from 'vitest';

import { startControlled } from '../../lab/control/control-client.ts';
import { rawEndpoint } from './raw-endpoint.ts';

/** Returns the delivery and its only attempt at an endpoint that responds in these pieces. */
async function delivered(pieces: readonly string[]) {
  const control = await startControlled();
  const url = await rawEndpoint((socket) => void writePieces(socket, pieces));
  await control.endpoint(url);
  await control.run();
  await control.idle();
  const { status, endReason, attempts } = await control.onlyDelivery();
  const [attempt = expect.unreachable('there was no attempt')] = attempts;
  return { status, endReason, attempt };
}

async function writePieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  socket.setNoDelay();
  for (const piece of pieces) {
    await new Promise<void>((resolve) => void socket.write(piece, 'latin1', () => resolve()));
    await new Promise(setImmediate);
  }
}

test.each([
  ['204', 'HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n'],
  ['200 with a body', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'],
  ['a body that is not ASCII', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\u00c3\u00bc'],
  ['no body', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'],
  ['a retry', 'HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n'],
  ['a closed connection', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
  ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n'],
  ['no reason', 'HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n'],
  ['spaces around a value', 'HTTP/1.1 200 OK\r\nContent-Length:   2  \r\n\r\nok'],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
])('a response counts the same whole and in pieces: %s', async (_what, response) => {
  const whole = await delivered([response]);
  const half = Math.floor(response.length / 2);
  const inPieces = await delivered([response.slice(0, half), response.slice(half)]);
  expect(whole.attempt.status).toBe(Number(response.slice(9, 12)));
  expect(inPieces).toEqual(whole);
});

test('a connection on which bytes come without a request is not reused', async () => {
  const control = await startControlled();
  const sockets = new Set<object>();
  const url = await rawEndpoint((socket) => {
    sockets.add(socket);
    socket.write('HTTP/1.1 204 No Content\r\n\r\n', () => {
      setImmediate(() => socket.write('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'));
    });
  });
  await control.endpoint(url);
  await control.run();
  await control.idle();
  // The late bytes have arrived by the time of a response over another connection.
  await control.deliveries();
  await control.run();
  await control.idle();
  const attempts = (await control.deliveries()).flatMap((delivery) => delivery.attempts);
  expect(attempts.map(({ status }) => status)).toEqual([204, 204]);
  expect(sockets.size).toBe(2);
});
