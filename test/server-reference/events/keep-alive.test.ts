import { once } from 'node:events';
import type { Socket } from 'node:net';

import { expect, test } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';
import { rawEndpoint } from './raw-endpoint.ts';
import { listenOn } from './counting-listener.ts';
import type { CountingListener } from './counting-listener.ts';

/** A server that has sent one event there, and the connection that it keeps. */
async function deliverOnce(listener: CountingListener) {
  const control = await startControlled();
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  const [socket = expect.unreachable('there was no connection')] = listener.sockets;
  return { control, socket };
}

test('consecutive requests use the same connection, whatever the path', async () => {
  const listener = await listenOn((request, response) => {
    response.writeHead(request.url === '/a' ? 204 : 500).end(request.url === '/a' ? '' : 'later');
  });
  const control = await startControlled();
  await control.endpoint(`${listener.url}/a`);
  for (let run = 0; run < 3; run += 1) {
    await control.run();
    await control.idle();
  }
  await control.endpoint(`${listener.url}/b`);
  await control.run();
  await control.idle();
  expect(listener.came.slice(0, 3)).toEqual([0, 0, 0]);
  expect(listener.sockets.length).toBeLessThanOrEqual(2);
});

test.each([
  ['ends', (socket: Socket) => socket.end()],
  ['is reset', (socket: Socket) => socket.resetAndDestroy()],
])('a connection that %s while it is idle is not reused', async (_what, finish) => {
  const listener = await listenOn((_request, response) => void response.writeHead(204).end());
  const { control, socket } = await deliverOnce(listener);
  const closed = once(socket, 'close');
  finish(socket);
  await closed;
  // Its end has arrived by the time of a response over another connection.
  await control.deliveries();
  await control.run();
  await control.idle();
  expect(listener.came).toEqual([0, 1]);
  const attempts = (await control.deliveries()).flatMap((delivery) => delivery.attempts);
  expect(attempts.map(({ status }) => status)).toEqual([204, 204]);
});

test('the server closes its idle connections', async () => {
  const listener = await listenOn((_request, response) => void response.writeHead(204).end());
  const { control, socket } = await deliverOnce(listener);
  const ended = once(socket, 'close');
  await control.server.close();
  await ended;
});

test('bytes that come without a request are not the response to the next one', async () => {
  const control = await startControlled();
  const url = await rawEndpoint((socket) => {
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
});
