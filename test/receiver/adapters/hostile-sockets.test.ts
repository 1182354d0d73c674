import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';

import type { ReceiverOptions } from '@hookproof/receiver';
import { nodeHandler } from '@hookproof/receiver/node';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { listeningPort } from '../../listening-port.ts';
import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';
import { connection, readResponse, requestHead } from './raw-request.ts';

const events = runTimeline(['pending', 'running', 'completed']);
const ids = events.map(({ id }) => id);

function requestOf(event: RunEvent | undefined, more: readonly (readonly [string, string])[] = []) {
  if (event === undefined) throw new Error('no event');
  const { headers, body } = signEvent(event, { secret: SECRET, now: () => NOON });
  return { headers: [...Object.entries(headers), ...more] as [string, string][], body };
}

function whole(event: RunEvent | undefined): Buffer {
  const { headers, body } = requestOf(event);
  const length: [string, string] = ['content-length', String(body.length)];
  return Buffer.concat([Buffer.from(requestHead('POST /hooks', [...headers, length])), body]);
}

async function served(options: Partial<ReceiverOptions> = {}) {
  const started = await startedReceiver(options);
  const port = await listeningPort(createServer(nodeHandler(started.receiver)));
  const url = `http://127.0.0.1:${port}/hooks`;
  const open = (): Promise<Socket> => connection(url);
  return { ...started, open };
}

async function textUntilClose(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  return text;
}

/** Opens a connection and waits until the receiver waits for the body. */
async function begun(open: () => Promise<Socket>, headers: [string, string][]): Promise<Socket> {
  const socket = await open();
  socket.write(requestHead('POST /hooks', [...headers, ['expect', '100-continue']]));
  await once(socket, 'data');
  return socket;
}

describe('nodeHandler on hostile sockets', () => {
  it('responds to pipelined requests one after the other', async () => {
    const { open, receiver, handledIds } = await served();
    const socket = await open();
    socket.write(Buffer.concat(events.map(whole)));
    socket.end();
    const text = await textUntilClose(socket);
    expect(text.match(/HTTP\/1\.1 202/g)).toHaveLength(3);
    await receiver.idle();
    expect(handledIds().toSorted()).toEqual(ids.toSorted());
  });

  it('sends 100 Continue to a sender that expects it', async () => {
    const { open } = await served();
    const { headers, body } = requestOf(events[0], [['expect', '100-continue']]);
    const socket = await open();
    socket.write(requestHead('POST /hooks', [...headers, ['content-length', String(body.length)]]));
    const [go] = await once(socket, 'data');
    expect(String(go)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(await readResponse(socket)).toMatchObject({ status: 202 });
    socket.destroy();
  });

  it('accepts no event whose content-length is too short or too long', async () => {
    const { open, receiver, handled, clock } = await served();
    const { headers, body } = requestOf(events[0]);
    const short = await open();
    short.write(
      requestHead('POST /hooks', [...headers, ['content-length', String(body.length - 1)]]),
    );
    short.write(body);
    // Node may refuse the extra byte, which begins no request, before the receiver responds to the rest.
    expect([400, 401]).toContain((await readResponse(short)).status);
    const long = await begun(open, [...headers, ['content-length', String(body.length + 1)]]);
    long.write(body);
    const timedOut = readResponse(long);
    await clock.advance(10_000);
    expect(await timedOut).toMatchObject({ status: 408 });
    const both = await open();
    const length: [string, string] = ['content-length', String(body.length)];
    both.write(requestHead('POST /hooks', [...headers, length, ['transfer-encoding', 'chunked']]));
    expect(await readResponse(both)).toMatchObject({ status: 400 });
    await receiver.idle();
    expect(handled).toEqual([]);
    short.destroy();
  });

  it('refuses five thousand headers and a header of a megabyte, and accepts the next delivery', async () => {
    const { open, responses } = await served();
    const { headers, body } = requestOf(events[0]);
    const length: [string, string] = ['content-length', String(body.length)];
    const many = Array.from({ length: 5_000 }, (_, at): [string, string] => [`x-${at}`, '1']);
    const big: [string, string][] = [['x-big', 'x'.repeat(1_000_000)]];
    for (const more of [many, big]) {
      const socket = await open();
      socket.write(requestHead('POST /hooks', [...headers, length, ...more]));
      expect(await readResponse(socket)).toMatchObject({ status: 431 });
      socket.destroy();
    }
    expect(responses).toEqual([]);
    const socket = await open();
    socket.write(whole(events[0]));
    expect(await readResponse(socket)).toMatchObject({ status: 202 });
    socket.destroy();
  });

  it('uses the first signature, also where Node drops a second one after a thousand headers', async () => {
    const { open } = await served();
    const { headers, body } = requestOf(events[0]);
    const many = Array.from({ length: 1_400 }, (_, at): [string, string] => [`x${at}`, '']);
    const first: [string, string] = ['webhook-signature', `v1,${'0'.repeat(64)}`];
    const length: [string, string] = ['content-length', String(body.length)];
    const socket = await open();
    socket.write(requestHead('POST /hooks', [length, first, ...many, ...headers]));
    socket.write(body);
    expect(await readResponse(socket)).toMatchObject({ status: 415 });
    const type: [string, string] = ['content-type', 'application/json'];
    socket.write(requestHead('POST /hooks', [length, type, first, ...many, ...headers]));
    socket.write(body);
    expect(await readResponse(socket)).toMatchObject({ status: 401 });
    socket.destroy();
  });
});
