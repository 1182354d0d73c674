import { once } from 'node:events';
import { createServer } from 'node:http';

import type { ReceiverOptions } from '@hookproof/receiver';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';
import type { MakeListener } from './adapter-contract.ts';
import { connection, readResponse, requestHead } from './raw-request.ts';

const { headers, body } = signEvent(runCreatedEvent(), { secret: SECRET, now: () => NOON });
const pairs = Object.entries(headers);
const withLength = (length: number) => [...pairs, ['content-length', String(length)] as const];

/** The promises of every adapter about connections: these tests need sockets of their own. */
export function socketContract(name: string, makeListener: MakeListener): void {
  const served = async (options: Partial<ReceiverOptions> = {}) => {
    const started = await startedReceiver(options);
    const server = createServer(makeListener(started.receiver, false)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { ...started, url: `http://127.0.0.1:${address.port}/hooks` };
  };

  describe(`${name}, on sockets`, () => {
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
      const { url, responses } = await served();
      const socket = await connection(url);
      socket.write(requestHead('POST', withLength(body.length)));
      socket.write(body.subarray(0, 10));
      socket.resetAndDestroy();
      await expect.poll(() => responses).toMatchObject([{ code: 'body_aborted' }]);
      const next = await connection(url);
      next.write(requestHead('POST', withLength(body.length)));
      next.write(body);
      expect(await readResponse(next)).toMatchObject({ status: 202 });
      next.destroy();
    });
  });
}
