import type { IncomingMessage, RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';

import { getRequestListener } from '@hono/node-server';
import type { Receiver } from '@hookproof/receiver';
import { fastifyPlugin } from '@hookproof/receiver/fastify';
import { fetchHandler } from '@hookproof/receiver/fetch';
import { koaMiddleware } from '@hookproof/receiver/koa';
import { nodeHandler } from '@hookproof/receiver/node';
import express from 'express';
import express4 from 'express4';
import Fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';

/** One app with the receiver at `/hooks` and another route at `/other`, which responds with `other`. */
export interface Framework {
  readonly name: string;
  /** `parseFirst`: a body parser of the framework runs before the receiver. */
  listener(receiver: Receiver, parseFirst: boolean): Promise<RequestListener>;
  /** What a delivery behind the body parser gets. Default: 500 `body_already_read`. */
  readonly behindParser?: { readonly status: number; readonly fix?: string };
  /** `joined`: repeated headers become one value. `last`: only the last one arrives. Default: `kept`. */
  readonly repeatedHeaders?: 'kept' | 'joined' | 'last';
  /** The body arrives as a whole, so nothing can stall, break off or be refused before its end. */
  readonly isBuffered?: boolean;
}

const EXPRESS_FIX = 'Mount nodeHandler before express.json()';

const nodeHttp: Framework = {
  name: 'node:http',
  behindParser: { status: 500, fix: EXPRESS_FIX },
  async listener(receiver, parseFirst) {
    const handler = nodeHandler(receiver, { path: '/hooks' });
    return (request: IncomingMessage & { body?: unknown }, response) => {
      const next = () => response.end('other');
      if (parseFirst) {
        void json(request).then((body) =>
          handler(Object.assign(request, { body }), response, next),
        );
      } else {
        handler(request, response, next);
      }
    };
  },
};

const afterAsyncMiddleware: Framework = {
  ...nodeHttp,
  name: 'node:http after asynchronous middleware',
  async listener(receiver, parseFirst) {
    const listener = await nodeHttp.listener(receiver, parseFirst);
    return (request, response) => {
      setTimeout(() => listener(request, response), 1);
    };
  },
};

/** `before`: the middleware in front of the receiver in every app. */
function expressApp(
  name: string,
  create: typeof express,
  before: (create: typeof express) => express.RequestHandler | null,
  more: Partial<Framework> = { behindParser: { status: 500, fix: EXPRESS_FIX } },
): Framework {
  return {
    name,
    ...more,
    async listener(receiver, parseFirst) {
      const app = create();
      const middleware = before(create);
      if (middleware !== null) app.use(middleware);
      if (parseFirst) app.use(create.json());
      app.all('/hooks', nodeHandler(receiver));
      app.use((_request, response) => void response.send('other'));
      return app;
    },
  };
}

const ANY_BODY = { type: '*/*', limit: '5mb' };
const KEPT: Partial<Framework> = { behindParser: { status: 202 }, isBuffered: true };

const keepRawBody = (create: typeof express) =>
  create.json({
    limit: '5mb',
    verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
  });

const koa: Framework = {
  name: 'Koa 3',
  behindParser: { status: 500, fix: 'Mount koaMiddleware before koa-bodyparser' },
  async listener(receiver, parseFirst) {
    const app = new Koa();
    app.silent = true;
    // A parser of other types sets `request.body = {}` for JSON.
    app.use(bodyParser({ enableTypes: parseFirst ? ['json'] : ['form'] }));
    app.use(koaMiddleware(receiver, { path: '/hooks' }));
    app.use((context) => void (context.body = 'other'));
    const listener = app.callback();
    return (request, response) => void listener(request, response);
  },
};

const fastify: Framework = {
  name: 'Fastify 5',
  behindParser: { status: 500, fix: 'Another plugin reads the stream' },
  async listener(receiver, parseFirst) {
    const app = Fastify();
    if (parseFirst) app.addHook('onRequest', async (request) => void (await json(request.raw)));
    await app.register(fastifyPlugin(receiver, { path: '/hooks' }));
    app.all('/other', (_request, reply) => reply.send('other'));
    await app.ready();
    return (request, response) => app.routing(request, response);
  },
};

const hono: Framework = {
  name: 'Fetch, in Hono on Node.js',
  repeatedHeaders: 'joined',
  behindParser: { status: 500, fix: 'Call the handler before request.json()' },
  async listener(receiver, parseFirst) {
    const app = new Hono();
    if (parseFirst) {
      app.use(async (context, next) => {
        await context.req.raw.text();
        await next();
      });
    }
    const handler = fetchHandler(receiver);
    app.all('/hooks', ({ req }) => handler(req.raw));
    app.all('/other', (context) => context.text('other'));
    const listener = getRequestListener(app.fetch);
    return (request, response) => void listener(request, response);
  },
};

const nothing = (): null => null;

export const FRAMEWORKS: readonly Framework[] = [
  nodeHttp,
  afterAsyncMiddleware,
  expressApp('Express 5', express, nothing),
  expressApp('Express 4', express4, nothing),
  expressApp('Express 4 behind urlencoded()', express4, (create) =>
    create.urlencoded({ extended: true }),
  ),
  expressApp('Express 5 behind raw()', express, (create) => create.raw(ANY_BODY), KEPT),
  expressApp('Express 5 behind json({ verify })', express, keepRawBody, KEPT),
  expressApp('Express 4 behind json({ verify })', express4, keepRawBody, KEPT),
  koa,
  fastify,
  hono,
];
