import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { realClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { post as postTo } from '../../../../server-reference/src/platform/sender/post.ts';
import { Targets } from '../../../../server-reference/src/platform/sender/target/target.ts';
import { startControlled } from '../../lab/control/control-client.ts';

interface Listener {
  readonly url: string;
  /** The number of connections. */
  readonly sockets: readonly Socket[];
  /** The connection of each request. */
  readonly came: readonly number[];
}

async function listenOn(handle: RequestListener): Promise<Listener> {
  const sockets: Socket[] = [];
  const came: number[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    came.push(sockets.indexOf(request.socket));
    request.resume().on('end', () => handle(request, response));
  });
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, came };
}

/** A server that has sent one event there, and the connection that it keeps. */
async function deliverOnce(listener: Listener) {
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

test('concurrent requests have one connection each, and all are kept', async () => {
  const held: (() => void)[] = [];
  const listener = await listenOn((_request, response) => {
    held.push(() => response.writeHead(204).end());
    if (held.length === 2) for (const respond of held.splice(0)) respond();
  });
  const control = await startControlled();
  await control.endpoint(`${listener.url}/a`);
  await control.endpoint(`${listener.url}/b`);
  for (let run = 0; run < 2; run += 1) {
    await control.run();
    await control.idle();
  }
  expect(listener.came.toSorted((a, b) => a - b)).toEqual([0, 0, 1, 1]);
});

test('a response that closes the connection is the last on it', async () => {
  const listener = await listenOn((_request, response) => {
    response.writeHead(204, { connection: 'close' }).end();
  });
  const control = await startControlled();
  await control.endpoint(listener.url);
  for (let run = 0; run < 2; run += 1) {
    await control.run();
    await control.idle();
  }
  expect(listener.came).toEqual([0, 1]);
});

test.each([
  ['timeout=1', [0, 1]],
  ['timeout=5, max=100', [0, 0]],
  ['max=100', [0, 0]],
])('a connection that the endpoint announces to keep for %j', async (announced, came) => {
  const listener = await listenOn((_request, response) => {
    response.writeHead(204, { connection: 'keep-alive', 'keep-alive': announced }).end();
  });
  const control = await startControlled();
  await control.endpoint(listener.url);
  for (let run = 0; run < 2; run += 1) {
    await control.run();
    await control.idle();
  }
  expect(listener.came).toEqual(came);
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

test('an idle connection is closed after a while, and one in use is not', async () => {
  const held: (() => void)[] = [];
  const listener = await listenOn((_request, response) => {
    held.push(() => response.writeHead(204).end());
  });
  const targets = new Targets(new Set(), 20);
  onTestFinished(() => targets.close());
  const target = targets.of(listener.url);
  if (target.kind === 'refused') expect.unreachable(target.detail);
  const options = { clock: realClock(), attempt: { pause() {}, resume() {} } };
  const post = async (): Promise<unknown> => {
    const headers = { 'content-length': '0' };
    const { outcome } = await postTo(target, { headers, body: Buffer.alloc(0) }, options).result;
    return outcome.kind === 'response' ? outcome.status : outcome.kind;
  };

  const first = post();
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  expect(await first).toBe(204);
  await once(listener.sockets[0] ?? expect.unreachable(), 'close');
  const second = post();
  await expect.poll(() => held.length).toBe(2);
  const beside = post();
  await expect.poll(() => held.length).toBe(3);
  held[2]?.();
  expect(await beside).toBe(204);
  // The idle one has been closed by now; the one that waits for its response longer is open.
  await once(listener.sockets[2] ?? expect.unreachable(), 'close');
  held[1]?.();
  expect(await second).toBe(204);
  expect(listener.came).toEqual([0, 1, 2]);
});
