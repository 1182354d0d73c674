import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

import type { Receiver, ReceiverOptions, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';
import { connection, readResponse, requestHead } from './raw-request.ts';

const event = runCreatedEvent();
const { headers, body: signedBody } = signEvent(event, { secret: SECRET, now: () => NOON });
/** A view over an ArrayBuffer, which the type of `fetch` requires. */
const body = new Uint8Array(signedBody);
const pairs = Object.entries(headers);
const withLength = (length: number) => [...pairs, ['content-length', String(length)] as const];

/** Puts an adapter behind a listener; with `parseFirst`, behind a body parser too. */
export type MakeListener = (receiver: Receiver, parseFirst: boolean) => RequestListener;

async function resultOf(response: Response): Promise<readonly unknown[]> {
  return [response.status, await response.json()];
}

/** The promises of every adapter, over real sockets. */
export function adapterContract(name: string, makeListener: MakeListener): void {
  const served = async (options: Partial<ReceiverOptions> = {}, parseFirst = false) => {
    const started = await startedReceiver(options);
    const listener = makeListener(started.receiver, parseFirst);
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const url = `http://127.0.0.1:${address.port}/hooks`;
    const post = (init: RequestInit = {}) => fetch(url, { method: 'POST', headers, body, ...init });
    return { ...started, url, post };
  };

  describe(`${name}, as every adapter`, () => {
    it('passes the exact bytes on and sends the responses', async () => {
      const { post, receiver, handled } = await served();
      expect(await resultOf(await post())).toEqual([202, { code: 'accepted' }]);
      expect(await resultOf(await post())).toEqual([200, { code: 'duplicate' }]);
      await receiver.idle();
      expect(handled).toMatchObject([{ event }]);
    });

    it('accepts a chunked body that is split inside a character', async () => {
      const output = 'größer';
      const large = runCreatedEvent({ run: { output } });
      const signed = signEvent(large, { secret: SECRET, now: () => NOON });
      const { url, receiver, handled } = await served();
      const socket = await connection(url);
      const head = [...Object.entries(signed.headers), ['transfer-encoding', 'chunked'] as const];
      socket.write(requestHead('POST', head));
      for (const byte of signed.body) socket.write(Buffer.from([0x31, 13, 10, byte, 13, 10]));
      socket.write('0\r\n\r\n');
      expect(await readResponse(socket)).toMatchObject({ status: 202 });
      socket.destroy();
      await receiver.idle();
      expect(handled).toMatchObject([{ event: { data: { run: { output } } } }]);
    });

    it.each<[string, RequestInit, number, string]>([
      ['a tampered body', { body: `${signedBody.toString()} ` }, 401, 'signature_mismatch'],
      ['no body', { body: null }, 401, 'signature_mismatch'],
      ['GET', { method: 'GET', body: null }, 405, 'method_not_allowed'],
      [
        'a form',
        { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        415,
        'content_type_unsupported',
      ],
      ['no signature', { headers: { 'content-type': 'application/json' } }, 401, 'header_missing'],
    ])('refuses %s', async (_, init, status, code) => {
      const { post, handled, receiver } = await served();
      expect(await resultOf(await post(init))).toEqual([status, { code }]);
      await receiver.idle();
      expect(handled).toEqual([]);
    });

    it('names the allowed method', async () => {
      const { post } = await served();
      expect((await post({ method: 'DELETE' })).headers.get('allow')).toBe('POST');
    });

    it.each(pairs.filter(([header]) => header !== 'content-type'))(
      'refuses a repeated %s',
      async (...pair) => {
        const { url } = await served();
        const socket = await connection(url);
        socket.write(requestHead('POST', [...withLength(body.length), pair]));
        socket.write(body);
        const response = await readResponse(socket);
        expect(response).toMatchObject({ status: 401, body: '{"code":"header_repeated"}' });
        socket.destroy();
      },
    );

    it('refuses a body that is declared too large before it arrives, and one that grows', async () => {
      const { url } = await served({ bodyLimitBytes: 1_000 });
      const declared = await connection(url);
      declared.write(requestHead('POST', withLength(1_001)));
      expect(await readResponse(declared)).toMatchObject({ status: 413 });
      const growing = await connection(url);
      growing.write(requestHead('POST', [...pairs, ['transfer-encoding', 'chunked']]));
      growing.write(`3e9\r\n${'x'.repeat(1_001)}\r\n`);
      expect(await readResponse(growing)).toMatchObject({
        status: 413,
        body: '{"code":"body_too_large"}',
      });
      growing.destroy();
      declared.destroy();
    });

    it('reads a body that is too large to its end, responds, and accepts the next request', async () => {
      const { url } = await served({ bodyLimitBytes: 1_000 });
      const socket = await connection(url);
      const large = Buffer.alloc(4 * 1024 * 1024, 'x');
      socket.write(requestHead('POST', withLength(large.length)));
      socket.write(large);
      expect(await readResponse(socket)).toMatchObject({ status: 413 });
      socket.write(requestHead('POST', withLength(body.length)));
      socket.write(body);
      expect(await readResponse(socket)).toMatchObject({ status: 202 });
      socket.destroy();
    });

    it('closes the connection of a sender that keeps sending a body that is too large', async () => {
      const { url, clock } = await served({ bodyLimitBytes: 10 });
      const socket = await connection(url);
      socket.write(requestHead('POST', withLength(1_000_000)));
      socket.write('much');
      expect(await readResponse(socket)).toMatchObject({ status: 413 });
      const closed = once(socket, 'close');
      await clock.advance(10_000);
      await closed;
    });

    it('times out a stalled body', async () => {
      const { url, clock } = await served({ bodyTimeoutMilliseconds: 4_000 });
      const socket = await connection(url);
      const waiting = clock.nextTimer(4_000);
      socket.write(requestHead('POST', withLength(body.length)));
      socket.write(body.subarray(0, 10));
      await waiting;
      await clock.advance(4_000);
      const response = await readResponse(socket);
      expect(response).toMatchObject({ status: 408, body: '{"code":"body_stalled"}' });
      expect(response.headers.get('connection')).toBe('close');
      await once(socket, 'close');
    });

    it('survives a sender that disconnects during the body', async () => {
      const { url, post, responses } = await served();
      const socket = await connection(url);
      socket.write(requestHead('POST', withLength(body.length)));
      socket.write(body.subarray(0, 10));
      socket.resetAndDestroy();
      await expect.poll(() => responses).toMatchObject([{ code: 'body_aborted' }]);
      expect((await post()).status).toBe(202);
    });

    it('refuses a body that a parser consumed, and names the fix', async () => {
      const { post, problems } = await served({}, true);
      expect(await resultOf(await post())).toEqual([500, { code: 'body_already_read' }]);
      expect(problems).toMatchObject([
        {
          code: 'body_already_read',
          message:
            'Body must be unread, got a body that a parser consumed. Mount the receiver before ' +
            'express.json(), koa-bodyparser and similar parsers, or exclude its path from them.',
        },
      ]);
    });

    it('responds with 503 while the store fails and while it closes', async () => {
      const store: Store = {
        ...memoryStore(),
        accept: () => Promise.reject(new Error('disk full')),
      };
      const { post, receiver } = await served({ store });
      const failed = await post();
      expect(failed.headers.get('retry-after')).toBe('5');
      expect(await resultOf(failed)).toEqual([503, { code: 'store_unavailable' }]);
      await receiver.close();
      expect(await resultOf(await post())).toEqual([503, { code: 'closing' }]);
    });
  });
}
