import { hash } from 'node:crypto';

import type { Middleware } from 'koa';

import { badRequest, ROOT } from './api-error.ts';

/** The response header with the id of the request. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** The Koa state of every request. */
export interface RequestState {
  requestId: string;
}

/** Returns the next id: `req_` and 36 lower-case hex digits. */
export type NewRequestId = () => string;

/**
 * Creates the source of request ids. The same seed and `startedAt` give the same sequence of ids; another
 * `startedAt` gives another sequence.
 *
 * @param startedAt - start of the server in milliseconds since the epoch, by its clock
 */
export function requestIds(seed: number, startedAt: number): NewRequestId {
  let issued = 0;
  return () => {
    issued += 1;
    const digest = hash('sha256', `${seed}:${startedAt}:${issued}`);
    return `req_${digest.slice(0, 36)}`;
  };
}

/** Gives each request a new id. An id sent by the caller is ignored. */
export function assignRequestId(newRequestId: NewRequestId): Middleware<RequestState> {
  return async function requestId(ctx, next) {
    ctx.state.requestId = newRequestId();
    ctx.set(REQUEST_ID_HEADER, ctx.state.requestId);
    await next();
  };
}

/** A host name or address with an optional port. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$/;

/** URL parsers disagree on all other characters, such as `#` or a raw 0xA0. */
const PLAIN_TARGET = /^[!"$-[\]-~]*$/;

/** Refuses ambiguous requests before anything else is read: HTTP version, Host, Expect and URL. */
export function checkRequest(): Middleware {
  return async function requestForm(ctx, next) {
    if (!/^1\.[01]$/.test(ctx.req.httpVersion)) {
      throw badRequest('malformed_request', ROOT, 'only HTTP/1.0 and HTTP/1.1 are supported');
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
        'the request must have exactly one valid Host header',
      );
    }
    const expectation = ctx.get('expect').toLowerCase();
    if (expectation !== '' && expectation !== '100-continue') {
      throw badRequest('malformed_request', ROOT, 'only Expect: 100-continue is supported');
    }
    if (!PLAIN_TARGET.test(ctx.url)) {
      throw badRequest(
        'malformed_request',
        ROOT,
        'the path or query contains a character that must be percent-encoded',
        'Percent-encode all characters outside ASCII, # (%23) and \\ (%5C).',
      );
    }
    if (!isDecodable(ctx.url)) {
      throw badRequest(
        'malformed_request',
        ROOT,
        'the path or query contains a percent sign that does not start an encoded UTF-8 character',
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

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Returns the token of an Authorization header of the form `Bearer <token>`; undefined for any other. */
export function bearerToken(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}
