import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

import type { Problem, Receiver, Receiving } from '@hookproof/receiver';
import { fastifyPlugin } from '@hookproof/receiver/fastify';
import { koaMiddleware } from '@hookproof/receiver/koa';
import { nodeHandler } from '@hookproof/receiver/node';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import express from 'express';
import Fastify from 'fastify';
import Koa from 'koa';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';

import { SECRET, startedReceiver } from '../started-receiver.ts';

const OPTIONS = { path: '/hooks' };

const APPS: readonly [
  string,
  (receiver: Receiving) => RequestListener | Promise<RequestListener>,
][] = [
  ['node:http', (receiver) => nodeHandler(receiver, OPTIONS)],
  ['Express', (receiver) => express().use(nodeHandler(receiver, OPTIONS))],
  [
    'Koa',
    (receiver) => {
      const listener = new Koa().use(koaMiddleware(receiver, OPTIONS)).callback();
      return (request, response) => void listener(request, response);
    },
  ],
  ['Fastify', (receiver) => fastifyApp(receiver)],
  ['Fastify with ignoreTrailingSlash', (receiver) => fastifyApp(receiver, true)],
];

async function fastifyApp(
  receiver: Receiving,
  ignoreTrailingSlash = false,
): Promise<RequestListener> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash } });
  await app.register(fastifyPlugin(receiver, OPTIONS));
  await app.ready();
  return (request, response) => app.routing(request, response);
}

describe.each(APPS)('the path in %s', (_, app) => {
  async function served(): Promise<{
    readonly post: (path: string) => Promise<number>;
    readonly problems: readonly Problem[];
    readonly receiver: Receiver;
  }> {
    const { receiver, clock, problems } = await startedReceiver();
    const server = createServer(await app(receiver));
    const { headers, body } = signEvent(runCreatedEvent(), {
      secret: SECRET,
      now: () => clock.now(),
    });
    return {
      problems,
      receiver,
      async post(path) {
        const sent = await supertest(server)
          .post(path)
          .set(headers)
          .send(Buffer.from(body).toString());
        return sent.status;
      },
    };
  }

  it('may have one slash at the end', async () => {
    const { post, problems } = await served();
    expect([await post('/hooks/'), await post('/hooks/?from=here')]).toEqual([202, 200]);
    expect(problems).toEqual([]);
  });

  it('is reported when deliveries come to another one, once a minute, and counted', async () => {
    const { post, problems, receiver } = await served();
    expect([await post('//hooks?token=1'), await post('/hook')]).toEqual([404, 404]);
    await expect
      .poll(() => problems)
      .toMatchObject([
        {
          code: 'path_unexpected',
          message: expect.stringContaining('came to "//hooks" and got 404'),
        },
      ]);
    expect((await receiver.stats()).refused).toBe(2);
  });
});

it('a delivery that another route responds to is not reported', async () => {
  const { receiver, problems } = await startedReceiver();
  const other = await startedReceiver();
  const app = express()
    .use(nodeHandler(receiver, OPTIONS))
    .use(nodeHandler(other.receiver, { path: '/other' }));
  const { headers, body } = signEvent(runCreatedEvent(), {
    secret: SECRET,
    now: () => other.clock.now(),
  });
  const { status } = await supertest(app)
    .post('/other')
    .set(headers)
    .send(Buffer.from(body).toString());
  expect([status, problems]).toEqual([202, []]);
});

/** As koa-mount does: below a prefix, the rest of the path is the path. */
function koaApp(prefix: string, receiver: Receiving, path: string): RequestListener {
  const middleware = koaMiddleware(receiver, { path });
  const listener = new Koa()
    .use(async (context, next) => {
      if (!context.path.startsWith(prefix)) return next();
      context.path = context.path.slice(prefix.length) || '/';
      return middleware(context, next);
    })
    .callback();
  return (request, response) => void listener(request, response);
}

const expressApp = (prefix: string, receiver: Receiving, path: string): RequestListener =>
  express().use(prefix, nodeHandler(receiver, { path }));

describe.each([
  ['Express', expressApp],
  ['Koa', koaApp],
])('below a mount of %s', (_, app) => {
  it.each([
    ['/hooks', '/hooks', '/hooks'],
    ['/api', '/api/hooks', '/api/hooks'],
    ['/api', '/hooks', '/api/hooks'],
  ])('%s, the path %s is that of %s', async (prefix, path, url) => {
    const { receiver, clock, problems } = await startedReceiver();
    const { headers, body } = signEvent(runCreatedEvent(), {
      secret: SECRET,
      now: () => clock.now(),
    });
    const client = supertest(createServer(app(prefix, receiver, path)));
    const post = async (to: string): Promise<number> =>
      (await client.post(to).set(headers).send(body.toString())).status;
    expect(await post(url)).toBe(202);
    expect(problems).toEqual([]);
    expect(await post(`${prefix}/other`)).toBe(404);
    await expect
      .poll(() => problems)
      .toMatchObject([{ message: expect.stringContaining(`came to "${prefix}/other" and`) }]);
    expect(await receiver.stats()).toMatchObject({ refused: 1 });
  });
});

it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'a request with the header %s alone is a delivery, one without is not',
  async (name) => {
    const { receiver, problems } = await startedReceiver();
    const client = supertest(createServer(nodeHandler(receiver, OPTIONS)));
    await client.post('/other').expect(404);
    expect(problems).toEqual([]);
    await client.post('/other').set(name, 'x').expect(404);
    await expect.poll(() => problems).toMatchObject([{ code: 'path_unexpected' }]);
  },
);

it('what middleware throws while the response is written goes to the app', async () => {
  const { receiver } = await startedReceiver();
  const app = express()
    .use((_request, response, next) => {
      response.writeHead = () => {
        throw new Error('wrapped');
      };
      next();
    })
    .use(nodeHandler(receiver))
    .use(((_error, request, response, _next) => {
      delete (response as Partial<typeof response>).writeHead;
      response.status(500).send(`failed at ${request.path}`);
    }) satisfies express.ErrorRequestHandler);
  const { status, text } = await supertest(app).post('/hooks').send('{}');
  expect([status, text]).toEqual([500, 'failed at /hooks']);
});

it('the path of fastifyPlugin begins with the prefix that it is registered with', async () => {
  const { receiver, clock, problems } = await startedReceiver();
  const app = Fastify();
  await app.register(fastifyPlugin(receiver, OPTIONS), { prefix: '/api' });
  const { headers, body } = signEvent(runCreatedEvent(), {
    secret: SECRET,
    now: () => clock.now(),
  });
  const payload = Buffer.from(body);
  const post = async (url: string): Promise<number> =>
    (await app.inject({ method: 'POST', url, headers, payload })).statusCode;
  expect([await post('/api/hooks'), await post('/api/hooks/')]).toEqual([202, 200]);
  expect([await post('/hooks'), problems]).toMatchObject([404, [{ code: 'path_unexpected' }]]);
});
