import type { RequestListener } from 'node:http';

import type { Receiver, ReceiverOptions, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import request from 'supertest';
import type { Response, Test } from 'supertest';
import { describe, expect, it } from 'vitest';

import { SECRET, startedReceiver } from '../started-receiver.ts';
import { NOON } from '../virtual-clock.ts';

const event = runCreatedEvent({ run: { output: 'größer' } });
const { headers, body } = signEvent(event, { secret: SECRET, now: () => NOON });
/** A string, because supertest serialises a Buffer under a JSON content type again. */
const text = body.toString();

const names = Object.keys(headers).filter((name) => name.startsWith('webhook-'));

/** Puts an adapter behind a listener; with `parseFirst`, behind a body parser too. */
export type MakeListener = (receiver: Receiver, parseFirst: boolean) => RequestListener;

function resultOf(response: Response): readonly unknown[] {
  return [response.status, response.body];
}

/** The promises of every adapter about requests and responses. */
export function adapterContract(name: string, makeListener: MakeListener): void {
  const handled = async (options: Partial<ReceiverOptions> = {}, parseFirst = false) => {
    const started = await startedReceiver(options);
    const client = request(makeListener(started.receiver, parseFirst));
    const post = (): Test => client.post('/hooks').set({ ...headers });
    return { ...started, client, post };
  };

  describe(`${name}, as every adapter`, () => {
    it('passes the exact bytes on and sends the responses', async () => {
      const { post, receiver, handled: events } = await handled();
      expect(resultOf(await post().send(text))).toEqual([202, { code: 'accepted' }]);
      expect(resultOf(await post().send(text))).toEqual([200, { code: 'duplicate' }]);
      await receiver.idle();
      expect(events).toMatchObject([{ event }]);
    });

    it.each<[string, (post: Test) => Test, number, string]>([
      ['a tampered body', (post) => post.send(`${text} `), 401, 'signature_mismatch'],
      ['no body', (post) => post, 401, 'signature_mismatch'],
      [
        'a form',
        (post) => post.set('content-type', 'application/x-www-form-urlencoded').send(text),
        415,
        'content_type_unsupported',
      ],
      [
        'no signature headers',
        (post) => names.reduce((sent, header) => sent.unset(header), post).send(text),
        401,
        'header_missing',
      ],
    ])('refuses %s', async (_, change, status, code) => {
      const { post, handled: events, receiver } = await handled();
      expect(resultOf(await change(post()))).toEqual([status, { code }]);
      await receiver.idle();
      expect(events).toEqual([]);
    });

    it.each(['get', 'delete'] as const)(
      'refuses %s and names the allowed method',
      async (method) => {
        const { client } = await handled();
        const response = await client[method]('/hooks').set({ ...headers });
        expect(resultOf(response)).toEqual([405, { code: 'method_not_allowed' }]);
        expect(response.headers).toMatchObject({ allow: 'POST' });
      },
    );

    it('refuses a body that a parser consumed, and names the fix', async () => {
      const { post, problems } = await handled({}, true);
      expect(resultOf(await post().send(text))).toEqual([500, { code: 'body_already_read' }]);
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
      const { post, receiver } = await handled({ store });
      const failed = await post().send(text);
      expect(failed.headers).toMatchObject({ 'retry-after': '5' });
      expect(resultOf(failed)).toEqual([503, { code: 'store_unavailable' }]);
      await receiver.close();
      expect(resultOf(await post().send(text))).toEqual([503, { code: 'closing' }]);
    });
  });
}
