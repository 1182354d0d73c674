import { createHash, timingSafeEqual } from 'node:crypto';

import type { Middleware } from 'koa';

import { ApiError, issue, ROOT } from '../../platform/http/api-error.ts';
import { bearerToken } from '../../platform/http/request.ts';

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/i;

/**
 * Requires the control token; API keys are refused. If the server listens on loopback, the Host must be a
 * loopback name, which prevents DNS rebinding. A request of a browser must come from the same origin.
 */
export function guardControl(token: string, boundHost: string): Middleware {
  const onlyLoopback = isLoopback(boundHost);
  const expected = digest(token);
  return async function guard(ctx, next) {
    if (onlyLoopback && !isLoopback(ctx.get('host').replace(/:[0-9]*$/, ''))) {
      throw forbidden('the Host header must be localhost, 127.x.x.x or [::1]');
    }
    const origin = ctx.get('origin');
    if (origin !== '' && origin.toLowerCase() !== `http://${ctx.get('host')}`.toLowerCase()) {
      throw forbidden('the Origin header must be the origin of this server');
    }
    const headers = ctx.req.headersDistinct['authorization'] ?? [];
    const given = headers.length === 1 ? bearerToken(headers[0] ?? '') : undefined;
    if (given === undefined || !timingSafeEqual(digest(given), expected)) throw unauthorized();
    await next();
  };
}

function isLoopback(host: string): boolean {
  return LOOPBACK.test(host) || host === '::1';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function forbidden(message: string): ApiError {
  return new ApiError(403, [issue('forbidden', ROOT, message)]);
}

function unauthorized(): ApiError {
  return new ApiError(401, [issue('unauthorized', ROOT, 'the control token is missing or wrong')], {
    hint: 'Send one header Authorization: Bearer <control token>; API keys are not accepted.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
