import { json } from 'node:stream/consumers';

import { koaMiddleware } from '@hookproof/receiver/koa';
import Koa from 'koa';

import { adapterContract } from './adapter-contract.ts';
import type { MakeListener } from './adapter-contract.ts';
import { socketContract } from './socket-contract.ts';

const behindKoa: MakeListener = (receiver, parseFirst) => {
  const app = new Koa();
  app.silent = true;
  if (parseFirst) {
    app.use(async (context, next) => {
      Object.assign(context.request, { body: await json(context.req) });
      await next();
    });
  }
  app.use(koaMiddleware(receiver));
  const listener = app.callback();
  return (request, response) => void listener(request, response);
};

adapterContract('koaMiddleware', behindKoa);
socketContract('koaMiddleware', behindKoa);
