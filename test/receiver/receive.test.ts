import type { ReceiveRequest, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, sign, signEvent } from '@hookproof/receiver/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SECRET, startedReceiver } from './started-receiver.ts';
import { NOON } from './virtual-clock.ts';

const event = runCreatedEvent();
const signed = signEvent(event, { secret: SECRET, now: () => NOON });
const good: ReceiveRequest = {
  method: 'POST',
  headers: signed.headers,
  body: signed.body,
};
const signedAt = (seconds: number) =>
  signEvent(event, { secret: SECRET, now: () => NOON + seconds * 1_000 }).headers;
const typed = (type: string) => ({ headers: { ...signed.headers, 'content-type': type } });
const { 'content-type': _type, ...untyped } = signed.headers;

describe('receive', () => {
  it.each<[string, Partial<ReceiveRequest>, string]>([
    ['a good delivery', {}, 'accepted'],
    ['a content type with a charset', typed('Application/JSON; charset=utf-8'), 'accepted'],
    ['GET', { method: 'GET' }, 'method_not_allowed'],
    ['text', typed('text/plain'), 'content_type_unsupported'],
    ['a longer type', typed('application/json-patch'), 'content_type_unsupported'],
    ['no content type', { headers: untyped }, 'content_type_unsupported'],
    ['a body over the limit', { body: Buffer.alloc(1024 * 1024 + 1) }, 'body_too_large'],
    ['other bytes', { body: Buffer.from(`${signed.body.toString()} `) }, 'signature_mismatch'],
    ['no signature', { headers: { 'content-type': 'application/json' } }, 'header_missing'],
    ['301 seconds old', { headers: signedAt(-301) }, 'timestamp_too_old'],
    ['300 seconds old', { headers: signedAt(-300) }, 'accepted'],
    ['301 seconds early', { headers: signedAt(301) }, 'timestamp_too_new'],
  ])('responds to %s', async (_, change, code) => {
    const { receiver } = await startedReceiver();
    expect(await receiver.receive({ ...good, ...change })).toMatchObject({ code });
  });

  it('judges method, type and signature headers in this order, before it reads the body', async () => {
    const { receiver } = await startedReceiver({ bodyLimitBytes: 1 });
    const { stream, reads } = countedStream(Buffer.from('{}'));
    const received = async (change: Partial<ReceiveRequest>) =>
      (await receiver.receive({ ...good, body: stream, ...change })).code;
    expect(await received({ method: 'PUT', ...typed('text/plain') })).toBe('method_not_allowed');
    expect(await received(typed('text/plain'))).toBe('content_type_unsupported');
    const malformed = { ...signed.headers, 'webhook-signature': 'v1,no' };
    expect(await received({ headers: malformed })).toBe('signature_malformed');
    expect(reads()).toBe(0);
    expect(await received({})).toBe('body_too_large');
    expect(reads()).toBeGreaterThan(0);
  });

  it('accepts a body of exactly the limit', async () => {
    const bodyLimitBytes = signed.body.length;
    const { receiver } = await startedReceiver({ bodyLimitBytes });
    expect(await receiver.receive(good)).toMatchObject({ status: 202 });
    const other = await startedReceiver({ bodyLimitBytes: bodyLimitBytes - 1 });
    expect(await other.receiver.receive(good)).toMatchObject({ status: 413 });
  });

  it('responds to duplicates, also simultaneous ones, and calls the handler once', async () => {
    const { receiver, handledIds } = await startedReceiver();
    const responses = await Promise.all(Array.from({ length: 20 }, () => receiver.receive(good)));
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(19);
    await receiver.idle();
    expect(handledIds()).toEqual([event.id]);
  });

  it('reports an authentic event under a known id with other bytes', async () => {
    const { receiver, problems, deliver, handledIds } = await startedReceiver();
    await receiver.receive(good);
    const [response] = await deliver({ ...event, createdAt: '2026-07-01T13:00:00.000Z' });
    expect(response).toMatchObject({ status: 409, code: 'event_id_conflict' });
    const message =
      'Event id must be new or repeat the same bytes, got other bytes under a known id. The ' +
      'delivery was refused. Compare the deliveries of this id in the dashboard.';
    expect(problems).toMatchObject([{ code: 'event_id_conflict', message, eventId: event.id }]);
    expect(handledIds()).toEqual([event.id]);
  });

  it.each([
    ['not JSON', 'nonsense', 'body_not_json'],
    ['of no known shape', '{"id":"whev_1"}', 'event_invalid'],
    ['of another id', JSON.stringify(event), 'event_id_mismatch'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'body_not_utf8'],
  ])('accepts and quarantines a body that is authentic but %s', async (_, text, code) => {
    const { receiver, problems, handled } = await startedReceiver();
    const body = Buffer.from(text as string);
    const headers = {
      'content-type': 'application/json',
      ...sign({ secret: SECRET, id: 'whev_1', timestamp: NOON / 1_000, body }),
    };
    expect(await receiver.receive({ ...good, headers, body })).toMatchObject({ status: 202 });
    await receiver.idle();
    expect(handled).toEqual([]);
    const message = expect.stringContaining(`handled. ${code}: `);
    expect(problems).toMatchObject([{ code: 'event_quarantined', message }]);
    const error = expect.stringMatching(new RegExp(`^${code}: `));
    const letter = { id: 'whev_1', reason: 'event_quarantined', error };
    expect(await receiver.deadLetters()).toMatchObject({ items: [letter] });
  });

  it('responds with 503 while the store fails, reports it, and accepts the next attempt', async () => {
    const store = memoryStore();
    let isBroken = true;
    const failing: Store = {
      ...store,
      accept: (incoming) =>
        isBroken ? Promise.reject(new Error('disk full')) : store.accept(incoming),
    };
    const { receiver, problems } = await startedReceiver({ store: failing });
    const response = await receiver.receive(good);
    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(problems).toMatchObject([
      {
        code: 'store_unavailable',
        message: 'The store did not accept the event; the sender retries. Error: disk full',
      },
    ]);
    isBroken = false;
    expect(await receiver.receive(good)).toMatchObject({ status: 202 });
  });

  it('responds with 503 when the store hangs, and with 200 when it kept the event', async () => {
    const store = memoryStore();
    let isHanging = true;
    const hanging: Store = {
      ...store,
      async accept(incoming) {
        const outcome = await store.accept(incoming);
        return isHanging ? new Promise(() => {}) : outcome;
      },
    };
    const { receiver, clock, problems } = await startedReceiver({ store: hanging });
    const waiting = clock.nextTimer(8_000);
    const response = receiver.receive(good);
    await waiting;
    await clock.advance(8_000);
    expect(await response).toMatchObject({ code: 'store_unavailable', status: 503 });
    expect(problems).toMatchObject([
      {
        code: 'store_unavailable',
        cause: { message: 'Store must accept an event within 8000 ms, got no result.' },
      },
    ]);
    isHanging = false;
    expect(await receiver.receive(good)).toMatchObject({ code: 'duplicate' });
  });

  it.each([NOON + 60_000, new Date(NOON + 60_000)])(
    'makes a sender with an unknown secret retry until %s',
    async (rotationUntil) => {
      const { receiver, clock, handled } = await startedReceiver({ rotationUntil });
      const now = () => clock.now();
      const received = (secret: string, change: Partial<ReceiveRequest> = {}) => {
        const { headers, body } = signEvent(event, { secret, now });
        return receiver.receive({ ...good, headers, body, ...change });
      };
      expect(await received('whsec_new')).toMatchObject({
        code: 'secret_rotating',
        status: 503,
        headers: { 'retry-after': '5' },
      });
      const malformed = { ...signed.headers, 'webhook-signature': 'v1,no' };
      expect(await received('whsec_new', { headers: malformed })).toMatchObject({ status: 401 });
      const unsigned = { 'content-type': 'application/json' };
      expect(await received('whsec_new', { headers: unsigned })).toMatchObject({ status: 401 });
      await clock.advance(59_999);
      expect(await received('whsec_new')).toMatchObject({ status: 503 });
      await clock.advance(1);
      expect(await received('whsec_new')).toMatchObject({ code: 'signature_mismatch' });
      expect(await received(SECRET)).toMatchObject({ code: 'accepted' });
      await receiver.idle();
      expect(handled).toHaveLength(1);
    },
  );

  it('responds with 503 while closing, and finishes requests in flight', async () => {
    const { receiver, problems } = await startedReceiver();
    const begun = receiver.receive(good);
    const closed = receiver.close();
    expect(await receiver.receive(good)).toMatchObject({ status: 503, code: 'closing' });
    expect(await begun).toMatchObject({ status: 202 });
    await closed;
    expect(problems).toEqual([]);
  });

  it('responds with 500 to an unexpected error, also when onError throws', async () => {
    const { receiver } = await startedReceiver({
      onError: () => {
        throw new Error('from onError');
      },
    });
    const broken = { ...good, headers: null } as unknown as ReceiveRequest;
    expect(await receiver.receive(broken)).toMatchObject({ code: 'receiver_failed', status: 500 });
  });

  it('gives an altered delivery no 2xx', async () => {
    const { receiver } = await startedReceiver();
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('body', ...names),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (part, position, difference) => {
          const body = Buffer.from(signed.body);
          const headers: Record<string, string> = { ...signed.headers };
          if (part === 'body') {
            const index = position % body.length;
            body[index] = (body[index] ?? 0) ^ difference;
          } else {
            const text = headers[part] ?? '';
            const index = position % text.length;
            const code = (text.charCodeAt(index) + difference) % 256;
            headers[part] =
              text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
            fc.pre(headers[part]?.toLowerCase() !== text.toLowerCase());
          }
          const { status } = await receiver.receive({ ...good, headers, body });
          expect(status).toBeGreaterThanOrEqual(401);
        },
      ),
      { numRuns: 1_000, seed: 7 },
    );
  });
});

/** An async iterable that counts how often it is read. */
function countedStream(chunk: Uint8Array) {
  let count = 0;
  const stream: AsyncIterable<Uint8Array> = {
    async *[Symbol.asyncIterator]() {
      count += 1;
      yield chunk;
    },
  };
  return { stream, reads: () => count };
}
