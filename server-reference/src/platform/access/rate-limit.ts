import type { Middleware } from 'koa';

import type { Clock } from '../clock/clock.ts';
import { ApiError, issue, ROOT } from '../http/api-error.ts';
import type { AuthenticatedState } from './api-key.ts';

/** How many requests a key may make in a window. */
export interface RateLimit {
  /** 1 or more. */
  readonly requests: number;
  /** 1 to {@link MAX_WINDOW_SECONDS}. */
  readonly windowSeconds: number;
}

/** A day. */
export const MAX_WINDOW_SECONDS = 86_400;

/** What is remembered of a key: when its window began, in milliseconds, and the requests in it. */
export interface RequestWindow {
  readonly startedAt: number;
  readonly requests: number;
}

/** What becomes of a request. */
export interface Counted {
  /** What to remember of the key from now on. */
  readonly window: RequestWindow;
  /** Null: let it through. Else the whole seconds after which the next one is let through. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Counts a request of a key in a fixed window: it begins with the first request, and the first one
 * after its end begins the next. A request that is refused does not count.
 *
 * @param window - what is remembered of the key; undefined for a key that is new
 * @param now - milliseconds since the epoch
 */
export function countRequest(
  window: RequestWindow | undefined,
  { requests, windowSeconds }: RateLimit,
  now: number,
): Counted {
  const length = windowSeconds * 1000;
  // A clock that was set back must not leave a key locked out for longer than a window.
  const runs = window !== undefined && now >= window.startedAt && now < window.startedAt + length;
  if (!runs) return { window: { startedAt: now, requests: 1 }, retryAfterSeconds: null };
  if (window.requests >= requests) {
    const left = window.startedAt + length - now;
    return { window, retryAfterSeconds: Math.ceil(left / 1000) };
  }
  return { window: { ...window, requests: window.requests + 1 }, retryAfterSeconds: null };
}

/** Whether requests can be counted; while they cannot, none is processed. */
export type Accounting = 'available' | 'unavailable';

/** What holds for every key. */
export interface LimitSettings {
  /** Null: as many requests as they like. */
  readonly rateLimit: RateLimit | null;
  readonly accounting: Accounting;
}

/** The limits of a server, and what is left of them for each key. */
export interface RequestLimits {
  readonly settings: LimitSettings;
  /** Changes what is named. A `rateLimit` that is named, also the same one, begins all counts anew. */
  change(settings: Partial<LimitSettings>): void;
  /**
   * Counts a request of a key at `now`, in milliseconds.
   *
   * @returns null to let it through, else the whole seconds after which the next one is let through
   */
  take(keyId: string, now: number): number | null;
}

/** Keeps counts in memory, one window for each key. */
export function createRequestLimits(rateLimit: RateLimit | null): RequestLimits {
  let settings: LimitSettings = { rateLimit, accounting: 'available' };
  const windows = new Map<string, RequestWindow>();
  return {
    get settings() {
      return settings;
    },
    change(changed) {
      settings = { ...settings, ...changed };
      if (changed.rateLimit !== undefined) windows.clear();
    },
    take(keyId, now) {
      if (settings.rateLimit === null) return null;
      const counted = countRequest(windows.get(keyId), settings.rateLimit, now);
      windows.set(keyId, counted.window);
      return counted.retryAfterSeconds;
    },
  };
}

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
