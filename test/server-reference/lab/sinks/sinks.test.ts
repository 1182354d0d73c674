import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { virtualClock } from '@hookproof/server-reference';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { VirtualClock } from '../../../../server-reference/src/clock/clock.ts';
import type { Script } from '../../../../server-reference/src/lab/sinks/script.ts';
import { sinkView } from '../../../../server-reference/src/lab/sinks/view.ts';
import type { ExchangeView } from '../../../../server-reference/src/lab/sinks/view.ts';
import type { Sink } from '../../../../server-reference/src/lab/sinks/sink.ts';
import { Sinks } from '../../../../server-reference/src/lab/sinks/sinks.ts';
import { posted } from './posted.ts';

const START = Date.parse('2026-07-01T00:00:00.000Z');
const LARGE = 1_048_576;

interface Opened {
  readonly clock: VirtualClock;
  readonly sinks: Sinks;
  readonly sink: Sink;
  /** Resolves once `reached` returns true; it is called after each change. */
  readonly until: (reached: () => boolean) => Promise<void>;
}

async function opened(script: Script = [{ status: 200 }]): Promise<Opened> {
  const clock = virtualClock({ now: START });
  const changes = new EventEmitter();
  const sinks = new Sinks({ clock, changed: () => changes.emit('change') });
  onTestFinished(() => sinks.close());
  const sink = (await sinks.open(script)) ?? expect.unreachable();
  return {
    clock,
    sinks,
    sink,
    until: (reached) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (reached()) resolve();
        };
        changes.on('change', look);
        onTestFinished(() => void changes.off('change', look));
        look();
      }),
  };
}

/** A raw connection: what it sends, and what it received when it ended. */
async function rawConnection(sink: Sink): Promise<{ socket: Socket; ended: Promise<string> }> {
  const { hostname, port } = new URL(sink.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  socket.on('error', (error: NodeJS.ErrnoException) => (text += error.code));
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  await new Promise((resolve) => socket.on('connect', resolve));
  return { socket, ended };
}

function head(sink: Sink, length: number, more = ''): string {
  return `POST /${sink.id} HTTP/1.1\r\nHost: sink\r\nContent-Length: ${length}\r\n${more}\r\n`;
}

function onlyExchange(sink: Sink): ExchangeView {
  const { exchanges } = sinkView(sink);
  expect(exchanges).toHaveLength(1);
  return exchanges[0] ?? expect.unreachable();
}

describe('a foreign request', () => {
  test('is shown as it arrived and gets the scripted response', async () => {
    const headers = { 'Retry-After': '7', 'X-Note': 'a' };
    const { sink } = await opened([{ status: 503, headers, body: 'sorry' }, { status: 204 }]);
    const first = await request(`${sink.url}?try=1`, {
      method: 'PUT',
      headers: { 'X-Case': 'Kept' },
      body: '\u{feff}grüße',
    });
    expect([first.statusCode, await first.body.text()]).toEqual([503, 'sorry']);
    expect(first.headers).toMatchObject({ 'retry-after': '7', 'x-note': 'a' });
    expect(first.headers).not.toHaveProperty('date');
    // A connection with an idle timeout announces it in a header.
    expect(first.headers).not.toHaveProperty('keep-alive');
    const second = await request(sink.url, { method: 'POST' });
    const third = await request(sink.url, { method: 'POST' });
    expect([second.statusCode, third.statusCode]).toEqual([204, 204]);
    const view = sinkView(sink);
    expect(view).toMatchObject({ id: 'sink_1', responses: [{ status: 204 }], arrived: 3 });
    expect(view.exchanges[0]).toEqual({
      sent: null,
      arrived: {
        number: 1,
        at: '2026-07-01T00:00:00.000Z',
        method: 'PUT',
        path: '/sink_1?try=1',
        headers: expect.arrayContaining([['X-Case', 'Kept']]),
        body: '\u{feff}grüße',
        complete: true,
        response: 503,
      },
      differs: [],
    });
    expect(view.exchanges.map(({ arrived }) => arrived?.number)).toEqual([1, 2, 3]);
  });

  test('is shown in base64 if it is not UTF-8', async () => {
    const { sink } = await opened();
    await request(sink.url, { method: 'POST', body: Buffer.from([0xff, 0x00]) });
    const { arrived } = onlyExchange(sink);
    expect(arrived).toMatchObject({ bodyBase64: '/wA=' });
    expect(arrived).not.toHaveProperty('body');
  });

  test('is never matched to a sent request, even if it repeats one in progress', async () => {
    const { sink, sinks } = await opened();
    const headers = { 'webhook-id': 'evt_1', 'webhook-signature': 'v1,abc' };
    sinks.expect(posted({ url: sink.url, headers, body: '{}', port: () => 1 }));
    await request(sink.url, { method: 'POST', headers, body: '{}' });
    const [sent, foreign] = sinkView(sink).exchanges;
    expect(sent).toMatchObject({ sent: { eventId: 'evt_1' }, arrived: null });
    expect(foreign).toMatchObject({ sent: null, arrived: { number: 1, response: 200 } });
  });

  test(`is read to its end, but kept up to ${LARGE} bytes`, async () => {
    const { sink } = await opened();
    const exact = await request(sink.url, { method: 'POST', body: 'x'.repeat(LARGE) });
    const larger = await request(sink.url, { method: 'POST', body: 'y'.repeat(3 * LARGE) });
    expect([exact.statusCode, larger.statusCode]).toEqual([200, 200]);
    const arrived = sinkView(sink).exchanges.map((exchange) => exchange.arrived);
    expect(arrived.map((one) => [one?.body?.length, one?.complete])).toEqual([
      [LARGE, true],
      [LARGE, false],
    ]);
  });

  test('that is cut off is shown as far as it arrived, and uses no scripted response', async () => {
    const { sink, until } = await opened([{ status: 202 }, { status: 200 }]);
    const { socket } = await rawConnection(sink);
    socket.end(`${head(sink, 10)}half`);
    await until(() => sink.arrived === 1);
    const { arrived } = onlyExchange(sink);
    expect(arrived).toMatchObject({ body: 'half', complete: false, response: null });
    expect((await request(sink.url, { method: 'POST' })).statusCode).toBe(202);
  });

  test('that is not HTTP is refused, and the next one is accepted', async () => {
    const { sink } = await opened();
    const { socket, ended } = await rawConnection(sink);
    socket.write('no such thing\r\n\r\n');
    expect(await ended).toContain('400 Bad Request');
    expect((await request(sink.url, { method: 'POST' })).statusCode).toBe(200);
    expect(sink.arrived).toBe(1);
  });
});

describe('a sent request', () => {
  test('is shown beside the arrival over the same connection, with the number of its attempt', async () => {
    const { sink, sinks, until } = await opened();
    const { socket } = await rawConnection(sink);
    const headers = { 'X-Team': 'blue', 'content-length': '2' };
    const lost = posted({ url: sink.url, headers, body: '{}' });
    const post = posted({ url: sink.url, headers, body: '{}', port: () => socket.localPort });
    sinks.expect(lost);
    sinks.expect(post);
    socket.write(`${head(sink, 2, 'x-team: red\r\n')}{]`);
    await until(() => sink.arrived === 1);
    lost.record(1);
    post.record(2);
    await until(() => sinkView(sink).exchanges[1]?.sent?.attempt === 2);
    expect(sinkView(sink).exchanges).toMatchObject([
      { sent: { attempt: 1 }, arrived: null, differs: [] },
      {
        sent: {
          deliveryId: 'dlv_1',
          eventId: 'evt_1',
          endpointId: 'whep_1',
          deliveryFault: null,
          at: '2026-07-01T00:00:00.000Z',
          headers: Object.entries(headers),
          body: '{}',
        },
        arrived: { number: 1, body: '{]' },
        differs: ['body', 'x-team'],
      },
    ]);
  });
});

describe('a scripted response', () => {
  test.each([0, 5_000])('can be a reset, after %d ms', async (afterMilliseconds) => {
    const { sink, clock, until } = await opened([{ reset: true, afterMilliseconds }]);
    const { socket, ended } = await rawConnection(sink);
    socket.write(head(sink, 0));
    await until(() => sink.arrived === 1);
    await clock.advance(afterMilliseconds);
    expect(await ended).toBe('ECONNRESET');
    expect(onlyExchange(sink).arrived).toMatchObject({ response: 'reset' });
  });

  test('that hangs ends when the sink is closed', async () => {
    const { sink, sinks, until } = await opened([{ hang: true }]);
    const { socket, ended } = await rawConnection(sink);
    socket.write(head(sink, 0));
    await until(() => sink.arrived === 1);
    expect(onlyExchange(sink).arrived).toMatchObject({ response: 'hang' });
    sinks.remove(sink.id);
    expect(await ended).toBe('');
  });

  test('is not sent to a disconnected caller', async () => {
    const { sink, clock, until } = await opened([{ status: 200, afterMilliseconds: 60_000 }]);
    const { socket } = await rawConnection(sink);
    socket.write(head(sink, 0));
    await until(() => sink.arrived === 1);
    const [exchange] = sink.exchanges;
    socket.destroy();
    // The next request on the same event loop comes after the end of the earlier one.
    await request(`${sink.url}/nowhere`);
    await clock.advance(60_000);
    expect(exchange?.arrived?.response).toBeNull();
  });

  test('is not sent to an attempt that was given up, whether or not its connection is known to have ended', async () => {
    const { sink, sinks, clock, until } = await opened([
      { status: 200, afterMilliseconds: 60_000 },
    ]);
    const { socket } = await rawConnection(sink);
    const post = posted({ url: sink.url, port: () => socket.localPort });
    sinks.expect(post);
    socket.write(head(sink, 0));
    await until(() => sink.arrived === 1);
    post.abort();
    await clock.advance(60_000);
    expect(onlyExchange(sink).arrived).toMatchObject({ response: null });
    expect(post.calls).toEqual(['pause']);
  });
});

test('sinks close at once, opened or not, and leave no connection', async () => {
  const never = new Sinks({ clock: virtualClock({ now: START }), changed: () => {} });
  await never.close();
  const { sink, sinks } = await opened([{ hang: true }]);
  const { socket, ended } = await rawConnection(sink);
  socket.write(head(sink, 0));
  await sinks.close();
  await ended;
  await expect(request(sink.url)).rejects.toThrow('ECONNREFUSED');
});
