import { once } from 'node:events';
import { createServer } from 'node:http';

import type { ReceiverOptions } from '@hookproof/receiver';
import { runCreatedEvent, runTimeline, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { listeningPort } from '../../listening-port.ts';
import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { LAMBDA } from './lambda-gateway.ts';
import { connection, readResponse, requestHead } from './raw-request.ts';
import type { RawResponse } from './raw-request.ts';

const event = runCreatedEvent({ run: { output: 'größer' } });
const { headers, body } = signEvent(event, { secret: SECRET, now: () => NOON });
const pairs = Object.entries(headers);
const unsigned: [string, string][] = [['content-type', 'application/json']];
type Headers = readonly (readonly [string, string])[];

describe.each([...FRAMEWORKS, ...LAMBDA])('$name', (framework) => {
  const { behindParser, repeatedHeaders = 'kept', isBuffered = false } = framework;

  async function served(options: Partial<ReceiverOptions> = {}, parseFirst = false) {
    const started = await startedReceiver(options);
    const listener = await framework.listener(started.receiver, parseFirst);
    const port = await listeningPort(createServer(listener));
    const open = () => connection(`http://127.0.0.1:${port}`);
    /** Sends one request on a connection of its own. */
    const send = async (
      sent: Headers,
      bytes: Uint8Array,
      line = 'POST /hooks',
    ): Promise<RawResponse> => {
      const socket = await open();
      const length = ['content-length', String(bytes.length)] as const;
      socket.write(requestHead(line, [...sent, length]));
      socket.write(bytes);
      const response = await readResponse(socket);
      socket.destroy();
      return response;
    };
    return { ...started, open, send };
  }

  it('accepts a delivery of exact bytes, recognizes its duplicate in other letter cases, and handles it once', async () => {
    const { send, receiver, handled } = await served();
    const upper = pairs.map(([name, value]) => [name.toUpperCase(), value] as const);
    expect(await send(pairs, body)).toMatchObject({ status: 202, body: '' });
    expect(await send(upper, body)).toMatchObject({ status: 200, body: '' });
    await receiver.idle();
    expect(handled).toMatchObject([{ event }]);
  });

  it('accepts several deliveries on one connection', async () => {
    const { open, receiver, handledIds } = await served();
    const socket = await open();
    const run = runTimeline(['pending', 'running', 'completed']);
    for (const one of run) {
      const signed = signEvent(one, { secret: SECRET, now: () => NOON });
      const length = ['content-length', String(signed.body.length)] as const;
      socket.write(requestHead('POST /hooks', [...Object.entries(signed.headers), length]));
      socket.write(signed.body);
      expect(await readResponse(socket)).toMatchObject({ status: 202 });
    }
    socket.destroy();
    await receiver.idle();
    expect(handledIds()).toEqual(run.map(({ id }) => id));
  });

  it('passes on refusals with their status, headers and body', async () => {
    const { send, receiver, handled } = await served();
    const tampered = Buffer.concat([body, Buffer.from(' ')]);
    const refused = [
      [await send(pairs, tampered), 401, 'signature_mismatch'],
      [await send(pairs.slice(1), body), 415, 'content_type_unsupported'],
      [await send(pairs.slice(1), Buffer.alloc(0), 'GET /hooks'), 405, 'method_not_allowed'],
    ] as const;
    for (const [response, status, code] of refused) {
      expect(response).toMatchObject({ status, body: `{"code":"${code}"}` });
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : undefined);
    }
    await receiver.idle();
    expect(handled).toEqual([]);
  });

  it('treats a repeated header as documented', async () => {
    const { send } = await served();
    const signature = ['webhook-signature', headers['webhook-signature']] as const;
    const { status, body: text } = await send([...pairs, signature], body);
    const expected = {
      kept: [401, '{"code":"header_repeated"}'],
      joined: [401, '{"code":"signature_malformed"}'],
      last: [202, ''],
    };
    expect([status, text]).toEqual(expected[repeatedHeaders]);
  });

  it('leaves other paths to the app', async () => {
    const { send, responses } = await served();
    expect(await send([], Buffer.alloc(0), 'GET /other')).toMatchObject({
      status: 200,
      body: 'other',
    });
    expect(responses).toEqual([]);
    expect(await send(pairs, body, 'POST /hooks?from=here')).toMatchObject({
      status: framework.name.startsWith('AWS') ? 200 : 202,
    });
  });

  it('behind a body parser, uses the kept bytes or names the fix', async () => {
    const { send, problems } = await served({}, true);
    const response = await send(pairs, body);
    expect(response.status).toBe(behindParser?.status);
    if (behindParser?.fix === undefined) return;
    expect(problems).toMatchObject([{ message: expect.stringContaining(behindParser.fix) }]);
    expect(response.body).toBe(`{"code":"${problems[0]?.code}"}`);
    expect(response.body).toMatch(/body_already_read|body_not_bytes/);
  });

  it('refuses a body that is too large, and accepts the next delivery on the connection', async () => {
    const { open } = await served({ bodyLimitBytes: 1_000 });
    const socket = await open();
    const large = Buffer.alloc(4 * 1024 * 1024, ' ');
    large.write('{}');
    socket.write(requestHead('POST /hooks', [...pairs, ['content-length', String(large.length)]]));
    socket.write(large);
    expect(await readResponse(socket)).toMatchObject({
      status: 413,
      body: '{"code":"body_too_large"}',
    });
    socket.write(requestHead('POST /hooks', [...pairs, ['content-length', String(body.length)]]));
    socket.write(body);
    expect(await readResponse(socket)).toMatchObject({ status: 202 });
    socket.destroy();
  });

  it('accepts a chunked body that is split inside a character', async () => {
    const { open, receiver, handled } = await served();
    const socket = await open();
    socket.write(requestHead('POST /hooks', [...pairs, ['transfer-encoding', 'chunked']]));
    for (const byte of body) socket.write(Buffer.from([0x31, 13, 10, byte, 13, 10]));
    socket.write('0\r\n\r\n');
    expect(await readResponse(socket)).toMatchObject({ status: 202 });
    socket.destroy();
    await receiver.idle();
    expect(handled).toMatchObject([{ event }]);
  });

  describe.skipIf(isBuffered)('while the body arrives', () => {
    it('refuses one that is declared too large before it arrives, and one that grows', async () => {
      const { open } = await served({ bodyLimitBytes: 1_000 });
      const declared = await open();
      declared.write(requestHead('POST /hooks', [...pairs, ['content-length', '1001']]));
      expect(await readResponse(declared)).toMatchObject({ status: 413 });
      const growing = await open();
      growing.write(requestHead('POST /hooks', [...pairs, ['transfer-encoding', 'chunked']]));
      growing.write(`3e9\r\n${'x'.repeat(1_001)}\r\n`);
      expect(await readResponse(growing)).toMatchObject({ status: 413 });
      growing.destroy();
      declared.destroy();
    });

    it('refuses a request by its headers alone', async () => {
      const { open } = await served();
      for (const [sent, line, status] of [
        [pairs, 'PUT /hooks', 405],
        [pairs.slice(1), 'POST /hooks', 415],
        [unsigned, 'POST /hooks', 401],
      ] as const) {
        const socket = await open();
        socket.write(requestHead(line, [...sent, ['content-length', '100000']]));
        expect(await readResponse(socket)).toMatchObject({ status });
        socket.destroy();
      }
    });

    it('times out one that stalls, and closes its connection', async () => {
      const { open, clock } = await served();
      const socket = await open();
      const waiting = clock.nextTimer(10_000);
      socket.write(requestHead('POST /hooks', [...pairs, ['content-length', String(body.length)]]));
      socket.write(body.subarray(0, 10));
      await waiting;
      const closed = once(socket, 'close');
      await clock.advance(10_000);
      expect(await readResponse(socket)).toMatchObject({
        status: 408,
        body: '{"code":"body_stalled"}',
      });
      await clock.advance(10_000);
      await closed;
    });

    it('survives a sender that disconnects', async () => {
      const { open, send, responses } = await served();
      const socket = await open();
      socket.write(requestHead('POST /hooks', [...pairs, ['content-length', String(body.length)]]));
      socket.write(body.subarray(0, 10));
      socket.resetAndDestroy();
      await expect.poll(() => responses).toMatchObject([{ code: 'body_aborted' }]);
      expect(await send(pairs, body)).toMatchObject({ status: 202 });
    });
  });
});
