import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';

import type { ReceiverOptions } from '@hookproof/receiver';
import { nodeHandler } from '@hookproof/receiver/node';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { listeningPort } from '../../listening-port.ts';
import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';
import { connection, readResponse, requestHead } from './raw-request.ts';

const { headers, body } = signEvent(runCreatedEvent({ run: { output: 'x'.repeat(5_000) } }), {
  secret: SECRET,
  now: () => NOON,
});
/** Well-formed, but signed with another secret. */
const forged = Object.entries(
  signEvent(runCreatedEvent(), { secret: 'whsec_other', now: () => NOON }).headers,
);

async function served(options: Partial<ReceiverOptions> = {}) {
  const started = await startedReceiver(options);
  const port = await listeningPort(createServer(nodeHandler(started.receiver)));
  const open = async () => {
    const socket = await connection(`http://127.0.0.1:${port}/`);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  /** Opens a connection whose body never ends, and waits until the receiver reads it. */
  const flood = async (length = 1_000_000) => {
    const socket = await open();
    const more = [
      ['content-length', String(length)],
      ['expect', '100-continue'],
    ] as const;
    socket.write(requestHead('POST /', [...forged, ...more]));
    await once(socket, 'data');
    return socket;
  };
  const deliver = async (): Promise<number> => {
    const socket = await open();
    const length = ['content-length', String(body.length)] as const;
    socket.write(requestHead('POST /', [...Object.entries(headers), length]));
    socket.write(body);
    const { status } = await readResponse(socket);
    socket.destroy();
    return status;
  };
  return { ...started, flood, deliver };
}

describe('a flood of unauthentic requests', () => {
  it('with 1,000 connections whose bodies drip does not shut authentic deliveries out', async () => {
    const { flood, deliver, clock, responses, receiver, handledIds } = await served();
    const dripping: Socket[] = [];
    for (let count = 0; count < 1_000; count += 1) dripping.push(await flood());
    for (const socket of dripping) socket.write('.');
    expect(await deliver()).toBe(202);
    for (const socket of dripping) socket.write('.');
    expect(await deliver()).toBe(200);
    expect(responses.map(({ code }) => code)).toEqual(['accepted', 'duplicate']);
    await receiver.idle();
    expect(handledIds()).toEqual([runCreatedEvent().id]);

    const statuses = dripping.map(async (socket) => (await readResponse(socket)).status);
    await clock.advance(10_000);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([408]));
    expect(await deliver()).toBe(200);
  });

  it('that fills the buffers lets its oldest unfinished bodies give way', async () => {
    const maxBufferedBytes = 100_000;
    const { flood, deliver, responses, problems } = await served({
      maxBufferedBytes,
      bodyLimitBytes: 50_000,
    });
    const sockets: Socket[] = [];
    const closed: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const socket = await flood(50_000);
      socket.write(Buffer.alloc(10_000));
      socket.on('close', () => closed.push(count));
      sockets.push(socket);
      expect(await deliver()).toBeLessThan(300);
    }
    const overloaded = responses.filter(({ code }) => code === 'overloaded');
    expect(overloaded.length).toBeGreaterThanOrEqual(10);
    expect(overloaded.length).toBeLessThan(20);
    await expect.poll(() => closed.length).toBe(overloaded.length);
    expect(closed.toSorted((left, right) => left - right)).toEqual(closed.map((_, at) => at));
    const message =
      'Bodies must fit into maxBufferedBytes (100000), got more. The oldest unfinished one got 503, ' +
      'and its sender retries. Unknown senders can cause this: limit them in front of the app. If ' +
      'the deliveries are authentic, raise maxBufferedBytes.';
    expect(problems).toMatchObject([{ code: 'overloaded', message }]);
  });

  it('in tiny chunks takes no more memory than it sends', async () => {
    const { flood, responses } = await served({
      maxBufferedBytes: 300_000,
      bodyLimitBytes: 100_000,
    });
    const socket = await flood(100_000);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 50_000; count += 1) socket.write('.');
    await expect.poll(() => socket.writableLength).toBe(0);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
    expect(responses).toEqual([]);
  });

  it('with malformed headers is refused before a byte of a body is read', async () => {
    const { deliver, responses, receiver } = await served({
      maxBufferedBytes: body.length,
      bodyLimitBytes: body.length,
    });
    const unsigned = { method: 'POST', headers: { 'content-type': 'application/json' } };
    let reads = 0;
    const endless = {
      async *[Symbol.asyncIterator]() {
        reads += 1;
        yield Buffer.alloc(1_000);
      },
    };
    await Promise.all(
      Array.from({ length: 1_000 }, () => receiver.receive({ ...unsigned, body: endless })),
    );
    expect(await deliver()).toBe(202);
    expect(reads).toBe(0);
    expect(new Set(responses.map(({ code }) => code))).toEqual(
      new Set(['header_missing', 'accepted']),
    );
  });
});

describe('bytes that are passed as a whole', () => {
  it('count against the limit until the store has them', async () => {
    const { receiver, clock, problems } = await startedReceiver({
      maxBufferedBytes: 2 * body.length - 1,
      bodyLimitBytes: body.length,
    });
    const request = { method: 'POST', headers, body };
    const [first, second] = await Promise.all([
      receiver.receive(request),
      receiver.receive(request),
    ]);
    expect([first.code, second.code]).toEqual(['accepted', 'overloaded']);
    expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(problems).toMatchObject([{ code: 'overloaded' }]);
    expect(await receiver.receive(request)).toMatchObject({ code: 'duplicate' });
    await clock.advance(0);
  });
});
