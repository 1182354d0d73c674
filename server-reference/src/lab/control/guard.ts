import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import type { Middleware } from 'koa';

import { ROOT, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { bearerToken } from '../../http/request.ts';
import type { HostRule } from '../../http/request.ts';

/**
 * Requires the control token; API keys are refused. The Host must be one that the server serves, which
 * prevents DNS rebinding. A request of a browser must come from the same origin: a proxy may serve it over TLS and
 * under another name, so the browser's word counts where it gives one.
 */
export function guardControl(
  token: string,
  servesHost: HostRule,
  corsOrigins: ReadonlySet<string>,
): Middleware {
  const expected = digest(token);
  return async function guard(ctx, next) {
    const host = ctx.get('host');
    if (host !== '' && !servesHost(host)) {
      throw forbidden('the Host header must be an address of this server');
    }
    if (!corsOrigins.has(ctx.get('origin')) && !isSameOrigin(ctx.headers)) {
      throw forbidden('the Origin header must be the origin of this server');
    }
    const headers = ctx.req.headersDistinct['authorization'] ?? [];
    const given = headers.length === 1 ? bearerToken(headers[0] ?? '') : undefined;
    if (given === undefined || !timingSafeEqual(digest(given), expected)) throw unauthorized();
    await next();
  };
}

/** Browsers send `Sec-Fetch-Site` over TLS and to this machine, and pages cannot set it. */
function isSameOrigin({ origin, host = '', ...headers }: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function forbidden(message: string): ApiError {
  return refusal('forbidden', ROOT, message);
}

function unauthorized(): ApiError {
  return refusal('unauthorized', ROOT, 'the control token is missing or wrong', {
    hint: 'Send one header Authorization: Bearer <control token>; API keys are not accepted.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
