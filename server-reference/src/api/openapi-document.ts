import { readFile } from 'node:fs/promises';

import Koa from 'koa';
import type { Middleware } from 'koa';
import compose from 'koa-compose';

import { originOf } from '../http/request.ts';
import type { RequestState } from '../http/request.ts';
import { respondJson } from '../http/response.ts';
import { createRouter, refuseUnrouted } from '../http/router.ts';

/** The path of the OpenAPI document of a server. */
export const OPENAPI_PATH = '/openapi.json';

const FILE = new URL('../../generated/bundled-openapi.json', import.meta.url);

/** Serves the self-contained OpenAPI document of all operations, with the address of the request as its server. */
export function serveOpenApi(): Middleware<RequestState> {
  const router = createRouter<RequestState>();
  router.get(OPENAPI_PATH, async (ctx) => {
    const document: object = JSON.parse(await readFile(FILE, 'utf8'));
    respondJson(ctx, { ...document, servers: [{ url: originOf(ctx) }] });
  });
  const app = new Koa<RequestState>();
  app.use(router.routes()).use(refuseUnrouted);
  return compose(app.middleware);
}
