import { hash } from 'node:crypto';

import type { Middleware } from 'koa';

import { badRequest, ROOT } from './api-error.ts';

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

/** A host name or address with an optional port. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$/;

/** Of anything else, such as `#` or a raw 0xA0, parsers of addresses make different things. */
const PLAIN_TARGET = /^[!"$-[\]-~]*$/;

/** Refuses requests whose meaning is not certain, before anything is read from them. */
export function checkRequest(): Middleware {
  return async function requestForm(ctx, next) {
    if (!/^1\.[01]$/.test(ctx.req.httpVersion)) {
      throw badRequest('malformed_request', ROOT, 'of HTTP, versions 1.0 and 1.1 are understood');
    }
    const hosts = ctx.req.headersDistinct['host'] ?? [];
    const needsHost = ctx.req.httpVersion === '1.1';
    if (
      hosts.length > 1 ||
      (needsHost && hosts.length === 0) ||
      hosts.some((host) => !HOST.test(host))
    ) {
      throw badRequest(
        'malformed_request',
        ROOT,
        'exactly one well-formed Host header is expected',
      );
    }
    const expectation = ctx.get('expect').toLowerCase();
    if (expectation !== '' && expectation !== '100-continue') {
      throw badRequest('malformed_request', ROOT, 'of Expect, 100-continue alone is understood');
    }
    if (!PLAIN_TARGET.test(ctx.url)) {
      throw badRequest(
        'malformed_request',
        ROOT,
        'the path or the query holds a character that no address may hold as it is',
        'Escape what is not plain ASCII, as well as # (%23) and \\ (%5C).',
      );
    }
    if (!isDecodable(ctx.url)) {
      throw badRequest(
        'malformed_request',
        ROOT,
        'the path or the query holds a percent sign that starts no UTF-8 character',
        'Write a literal percent sign as %25.',
      );
    }
    await next();
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
