import { randomUUID } from 'node:crypto';

import type { Middleware } from 'koa';

/** The header that carries the id of a request, on every answer. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** What the middlewares leave for those after them. */
export interface RequestState {
  requestId: string;
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}

/** Gives the request an id of the server's own making; one that the caller sent is not taken over. */
export function assignRequestId(): Middleware<RequestState> {
  return async function requestId(ctx, next) {
    ctx.state.requestId = newRequestId();
    ctx.set(REQUEST_ID_HEADER, ctx.state.requestId);
    await next();
  };
}
