import type { Middleware } from 'koa';

import { ApiError, ROOT, issue } from '../app/api-error.ts';
import type { AuthenticatedState } from '../app/authenticate.ts';
import type { Clock } from '../clock/clock.ts';
import type { RequestLimits } from './request-limits.ts';

/** A guess: nobody knows when the accounting comes back. */
const ACCOUNTING_RETRY_SECONDS = 1;

/** Counts the request for its key: 429 above the limit, 503 where it cannot be counted. */
export function limitRequests(limits: RequestLimits, clock: Clock): Middleware<AuthenticatedState> {
  return async function requestLimit(ctx, next) {
    if (limits.settings.accounting === 'unavailable') throw unavailable();
    const seconds = limits.take(ctx.state.key.id, clock.now());
    if (seconds !== null) throw tooMany(seconds);
    await next();
  };
}

function tooMany(seconds: number): ApiError {
  const message = 'this key has made all the requests that it may make for now';
  return new ApiError(429, [issue('rate_limited', ROOT, message)], {
    hint: `Wait ${seconds} s, as Retry-After says, and send it again.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

function unavailable(): ApiError {
  const message = 'requests cannot be counted just now, so this one was not processed';
  return new ApiError(503, [issue('accounting_unavailable', ROOT, message)], {
    hint: 'Send it again after Retry-After.',
    headers: { 'Retry-After': String(ACCOUNTING_RETRY_SECONDS) },
  });
}
