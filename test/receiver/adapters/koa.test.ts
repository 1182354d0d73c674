import { json } from 'node:stream/consumers';

import { koaMiddleware } from '@hookproof/receiver/koa';
import Koa from 'koa';

import { adapterContract } from './adapter-contract.ts';

adapterContract('koaMiddleware', (receiver, parseFirst) => {
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
});
