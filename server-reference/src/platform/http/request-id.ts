import { hash } from 'node:crypto';

import type { Middleware } from 'koa';

/** The header that carries the id of a request, on every answer. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** What the middlewares leave for those after them. */
export interface RequestState {
  requestId: string;
}

/** The next id: `req_` and 36 lower-case hex digits. */
export type NewRequestId = () => string;

/**
 * Ids for the requests of one start of a server. The same seed, the same start and the same order of
 * requests give the same ids; another start gives others.
 *
 * @param startedAt - milliseconds since the epoch, by the clock of the server
 */
export function requestIds(seed: number, startedAt: number): NewRequestId {
  let given = 0;
  return () => {
    given += 1;
    const digest = hash('sha256', `${seed}:${startedAt}:${given}`);
    return `req_${digest.slice(0, 36)}`;
  };
}

/** Gives the request an id of the server's own making; one that the caller sent is not taken over. */
export function assignRequestId(newRequestId: NewRequestId): Middleware<RequestState> {
  return async function requestId(ctx, next) {
    ctx.state.requestId = newRequestId();
    ctx.set(REQUEST_ID_HEADER, ctx.state.requestId);
    await next();
  };
}
