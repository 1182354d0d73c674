import { fetchHandler } from '@hookproof/receiver/fetch';
import { lambdaHandler } from '@hookproof/receiver/lambda';
import { createServer } from 'node:http';

import { koaMiddleware } from '@hookproof/receiver/koa';
import { nodeHandler } from '@hookproof/receiver/node';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { verify } from '@hookproof/receiver/verify';
import { verify as verifyOnWeb } from '@hookproof/receiver/verify-web';
import express from 'express';
import { Hono } from 'hono';
import Koa from 'koa';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';

import { SECRET, startedReceiver } from '../started-receiver.ts';
import { untyped } from '../verify-delivery.ts';
import { NOON } from '../virtual-clock.ts';

const { headers, body } = signEvent(runCreatedEvent(), { secret: SECRET, now: () => NOON });
const posted = (): Request =>
  new Request('https://app.example/hooks', { method: 'POST', headers, body: new Uint8Array(body) });

describe('fetchHandler', () => {
  it.each<[string, () => unknown, string]>([
    [
      'the context of Hono',
      () => ({ req: { raw: posted(), method: 'POST', header: () => '' } }),
      '(c) => handler(c.req.raw)',
    ],
    [
      'the event of SvelteKit',
      () => ({ request: posted(), params: {}, url: new URL('https://a.b') }),
      '({ request }) => handler(request)',
    ],
    [
      'the context of Elysia',
      () => ({ request: posted(), headers: {}, body: {}, path: '/hooks' }),
      '({ request }) => handler(request)',
    ],
    ['the event of h3', () => ({ req: posted(), res: {} }), '(event) => handler(event.req)'],
    ['the event of h3 1', () => ({ node: { req: { rawHeaders: [] } } }), 'nodeHandler()'],
    [
      'a request of Node.js',
      () => ({ rawHeaders: [], headers: {}, method: 'POST' }),
      'nodeHandler()',
    ],
    ['the context of Koa', () => ({ req: { rawHeaders: [] }, request: {} }), 'koaMiddleware()'],
    ['nothing', () => undefined, 'Pass the request that the framework got'],
  ])('called with %s responds with 500 and names the line to write', async (_, given, line) => {
    const { receiver, problems } = await startedReceiver();
    const response = await fetchHandler(receiver)(untyped(given()));
    expect([response.status, await response.json()]).toEqual([500, { code: 'request_unexpected' }]);
    expect(problems).toMatchObject([
      { code: 'request_unexpected', message: expect.stringContaining(line) },
    ]);
  });

  it('accepts the delivery with the line that it names', async () => {
    const { receiver } = await startedReceiver();
    const handler = fetchHandler(receiver);
    const wrong = new Hono().post('/hooks', untyped(handler));
    expect((await wrong.request(posted())).status).toBe(500);
    const right = new Hono().post('/hooks', (c) => handler(c.req.raw));
    expect((await right.request(posted())).status).toBe(202);
  });
});

describe('lambdaHandler', () => {
  it.each<[string, unknown, string]>([
    [
      'VPC Lattice',
      { version: '2.0', method: 'POST', path: '/hooks', headers: {}, body: '' },
      'VPC Lattice',
    ],
    ['VPC Lattice 1', { method: 'POST', raw_path: '/hooks', headers: {}, body: '' }, 'VPC Lattice'],
    ['an integration without proxy', JSON.parse(body.toString()), 'Lambda proxy integration'],
    ['SQS', { Records: [{ body: '{}' }] }, 'SQS'],
    ['nothing', undefined, 'Lambda proxy integration'],
  ])(
    'called with the event of %s responds with 500 and says what to do',
    async (_, event, advice) => {
      const { receiver, problems } = await startedReceiver();
      expect(await lambdaHandler(receiver)(untyped(event))).toMatchObject({
        statusCode: 500,
        body: '{"code":"request_unexpected"}',
      });
      expect(problems).toMatchObject([
        { code: 'request_unexpected', message: expect.stringContaining(advice) },
      ]);
    },
  );
});

describe.each<[string, readonly string[]]>([
  ['empty', []],
  ['odd', ['webhook-id']],
])('rawHeaders that a serverless platform leaves %s', (_, rawHeaders) => {
  it('give way to headers in Express', async () => {
    const { receiver } = await startedReceiver();
    const app = express()
      .use((request, _response, next) => {
        request.rawHeaders = [...rawHeaders];
        next();
      })
      .use('/hooks', nodeHandler(receiver));
    await supertest(app).post('/hooks').set(headers).send(body.toString()).expect(202);
  });

  it('give way to headers in node:http and Koa', async () => {
    const { receiver } = await startedReceiver();
    const koa = new Koa().use(koaMiddleware(receiver)).callback();
    const node = nodeHandler(receiver);
    const server = createServer((request, response) => {
      request.rawHeaders = [...rawHeaders];
      if (request.url === '/koa') void koa(request, response);
      else node(request, response);
    });
    const post = (path: string) => supertest(server).post(path).set(headers).send(body.toString());
    await post('/node').expect(202);
    await post('/koa').expect(200);
  });

  it('give way to headers in verify', async () => {
    const options = { secrets: SECRET, now: () => NOON };
    for (const source of [
      { rawHeaders, headers },
      { req: { rawHeaders, headers } },
      { raw: { rawHeaders, headers: new Headers(headers) } },
    ]) {
      expect(verify(body, source, options)).toEqual(runCreatedEvent());
      expect(await verifyOnWeb(body, source, options)).toEqual(runCreatedEvent());
    }
  });
});

it('verify takes a Fetch Request in place of its headers', () => {
  expect(verify(body, posted(), { secrets: SECRET, now: () => NOON })).toEqual(runCreatedEvent());
});
