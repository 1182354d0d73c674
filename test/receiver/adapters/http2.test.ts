import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';

import { nodeHandler } from '@hookproof/receiver/node';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';

const { headers, body } = signEvent(runCreatedEvent(), { secret: SECRET, now: () => NOON });
const SPACE = Buffer.from(' ');
const post = { ':method': 'POST', ':path': '/hooks', ...headers };

async function served() {
  const started = await startedReceiver({ bodyLimitBytes: 100_000 });
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', onWarning);
  const server = createServer(nodeHandler(started.receiver, { path: '/hooks' }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const client = connect(`http://127.0.0.1:${address.port}`);
  onTestFinished(() => {
    process.off('warning', onWarning);
    client.destroy();
    server.close();
  });
  return { ...started, client, warnings };
}

/** Sends a request; without `bytes` its body never ends. */
async function request(client: ClientHttp2Session, sent: object, bytes?: Uint8Array) {
  const stream = client.request({ ...sent });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const response = once(stream, 'response') as Promise<
    [IncomingHttpHeaders & { ':status'?: number }]
  >;
  const ended = once(stream, 'end');
  if (bytes !== undefined) stream.end(bytes);
  return async () => {
    const [received] = await response;
    await ended;
    return { status: received[':status'], connection: received.connection, text };
  };
}

describe('nodeHandler behind node:http2', () => {
  it('accepts, recognizes duplicates, and refuses', async () => {
    const { client } = await served();
    const results = [];
    for (const [sent, bytes] of [
      [post, body],
      [post, body],
      [post, Buffer.concat([body, SPACE])],
      [{ ...post, 'content-type': 'text/plain' }, body],
      [{ ...post, ':method': 'PUT' }, body],
      [post, Buffer.alloc(100_001)],
      [{ ...post, ':path': '/other' }, body],
    ] as const) {
      results.push((await (await request(client, sent, bytes))()).status);
    }
    expect(results).toEqual([202, 200, 401, 415, 405, 413, 404]);
  });

  it('sends no header connection, which HTTP/2 forbids', async () => {
    const { client, clock, receiver, warnings } = await served();
    const waiting = clock.nextTimer(10_000);
    const stalled = await request(client, post);
    await waiting;
    await clock.advance(10_000);
    const text = '{"code":"body_stalled"}';
    expect(await stalled()).toEqual({ status: 408, connection: undefined, text });
    await receiver.close();
    const closing = await request(client, post, body);
    expect(await closing()).toMatchObject({ status: 503, connection: undefined });
    expect(warnings).toEqual([]);
  });
});
