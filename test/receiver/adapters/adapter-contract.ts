import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

import type { Receiver, ReceiverOptions, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';
import { connection, readAnswer, requestHead } from './raw-request.ts';

const event = runCreatedEvent();
const { headers, body: signedBody } = signEvent(event, { secret: SECRET, now: () => NOON });
/** A view of its own memory, which is what `fetch` takes. */
const body = new Uint8Array(signedBody);
const pairs = Object.entries(headers);
const withLength = (length: number) => [...pairs, ['content-length', String(length)] as const];

/** An adapter behind a server; `parseFirst` puts what commonly reads bodies before it. */
export type MakeListener = (receiver: Receiver, parseFirst: boolean) => RequestListener;

async function answerOf(response: Response): Promise<readonly unknown[]> {
  return [response.status, await response.json()];
}

/** What every adapter does, over real sockets. */
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
    it('hands on the exact bytes and gives the answers', async () => {
      const { post, receiver, handled } = await served();
      expect(await answerOf(await post())).toEqual([202, { code: 'accepted' }]);
      expect(await answerOf(await post())).toEqual([200, { code: 'duplicate' }]);
      await receiver.idle();
      expect(handled).toMatchObject([{ event }]);
    });

    it('takes a body that comes in pieces, split inside a character', async () => {
      const output = 'größer';
      const large = runCreatedEvent({ run: { output } });
      const signed = signEvent(large, { secret: SECRET, now: () => NOON });
      const { url, receiver, handled } = await served();
      const socket = await connection(url);
      const head = [...Object.entries(signed.headers), ['transfer-encoding', 'chunked'] as const];
      socket.write(requestHead('POST', head));
      for (const byte of signed.body) socket.write(Buffer.from([0x31, 13, 10, byte, 13, 10]));
      socket.write('0\r\n\r\n');
      expect(await readAnswer(socket)).toMatchObject({ status: 202 });
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
      expect(await answerOf(await post(init))).toEqual([status, { code }]);
      await receiver.idle();
      expect(handled).toEqual([]);
    });

    it('says which method is allowed', async () => {
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
        const answer = await readAnswer(socket);
        expect(answer).toMatchObject({ status: 401, body: '{"code":"header_repeated"}' });
        socket.destroy();
      },
    );

    it('answers a body that is declared too large before it comes, and one that grows', async () => {
      const { url } = await served({ bodyLimitBytes: 1_000 });
      const declared = await connection(url);
      declared.write(requestHead('POST', withLength(1_001)));
      expect(await readAnswer(declared)).toMatchObject({ status: 413 });
      const growing = await connection(url);
      growing.write(requestHead('POST', [...pairs, ['transfer-encoding', 'chunked']]));
      growing.write(`3e9\r\n${'x'.repeat(1_001)}\r\n`);
      expect(await readAnswer(growing)).toMatchObject({
        status: 413,
        body: '{"code":"body_too_large"}',
      });
      growing.destroy();
      declared.destroy();
    });

    it('lets a sender of too much finish, answers it, and takes the next request', async () => {
      const { url } = await served({ bodyLimitBytes: 1_000 });
      const socket = await connection(url);
      const large = Buffer.alloc(4 * 1024 * 1024, 'x');
      socket.write(requestHead('POST', withLength(large.length)));
      socket.write(large);
      expect(await readAnswer(socket)).toMatchObject({ status: 413 });
      socket.write(requestHead('POST', withLength(body.length)));
      socket.write(body);
      expect(await readAnswer(socket)).toMatchObject({ status: 202 });
      socket.destroy();
    });

    it('ends the connection of a sender that goes on too long with too much', async () => {
      const { url, clock } = await served({ bodyLimitBytes: 10 });
      const socket = await connection(url);
      socket.write(requestHead('POST', withLength(1_000_000)));
      socket.write('much');
      expect(await readAnswer(socket)).toMatchObject({ status: 413 });
      const closed = once(socket, 'close');
      await clock.advance(10_000);
      await closed;
    });

    it('gives up on a body that stalls', async () => {
      const { url, clock } = await served({ bodyTimeoutMilliseconds: 4_000 });
      const socket = await connection(url);
      const waiting = clock.nextTimer(4_000);
      socket.write(requestHead('POST', withLength(body.length)));
      socket.write(body.subarray(0, 10));
      await waiting;
      await clock.advance(4_000);
      const answer = await readAnswer(socket);
      expect(answer).toMatchObject({ status: 408, body: '{"code":"body_stalled"}' });
      expect(answer.headers.get('connection')).toBe('close');
      await once(socket, 'close');
    });

    it('outlives a sender that goes away in the middle', async () => {
      const { url, post, answers } = await served();
      const socket = await connection(url);
      socket.write(requestHead('POST', withLength(body.length)));
      socket.write(body.subarray(0, 10));
      socket.resetAndDestroy();
      await expect.poll(() => answers).toMatchObject([{ code: 'body_aborted' }]);
      expect((await post()).status).toBe(202);
    });

    it('refuses a body that something parsed before, and names the fix', async () => {
      const { post, problems } = await served({}, true);
      expect(await answerOf(await post())).toEqual([500, { code: 'body_already_read' }]);
      expect(problems).toMatchObject([
        {
          code: 'body_already_read',
          message: expect.stringContaining('Mount the receiver before'),
        },
      ]);
    });

    it('answers 503 while the store fails and while it closes', async () => {
      const store: Store = {
        ...memoryStore(),
        accept: () => Promise.reject(new Error('disk full')),
      };
      const { post, receiver } = await served({ store });
      const failed = await post();
      expect(failed.headers.get('retry-after')).toBe('5');
      expect(await answerOf(failed)).toEqual([503, { code: 'store_unavailable' }]);
      await receiver.close();
      expect(await answerOf(await post())).toEqual([503, { code: 'closing' }]);
    });
  });
}
