import type { Middleware } from 'koa';

import type { Clock } from '../clock/clock.ts';
import { ROOT, refusal } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import type { RequestState } from '../http/request.ts';

/** The number of requests per key and window. */
export interface RateLimit {
  /** 1 or more. */
  readonly requests: number;
  /** 1 to {@link MAX_WINDOW_SECONDS}. */
  readonly windowSeconds: number;
}

/** One day. */
export const MAX_WINDOW_SECONDS = 86_400;

/** The current window of a key: its start in milliseconds since the epoch, and the requests in it. */
export interface RequestWindow {
  readonly startedAt: number;
  readonly requests: number;
}

/** The result of {@link countRequest}. */
interface Counted {
  /** The window to store for the key. */
  readonly window: RequestWindow;
  /** Null if the request is accepted, else the seconds until the next window, rounded up. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Counts a request of a key in a fixed window. A window starts with the first request after the end of the
 * previous window. A refused request does not count.
 *
 * @param window - the stored window of the key; undefined for a new key
 * @param now - milliseconds since the epoch
 */
export function countRequest(
  window: RequestWindow | undefined,
  { requests, windowSeconds }: RateLimit,
  now: number,
): Counted {
  const length = windowSeconds * 1000;
  // If the clock was set back, a key must not be refused for longer than one window.
  const isOpen = window !== undefined && now >= window.startedAt && now < window.startedAt + length;
  if (!isOpen) return { window: { startedAt: now, requests: 1 }, retryAfterSeconds: null };
  if (window.requests >= requests) {
    const left = window.startedAt + length - now;
    return { window, retryAfterSeconds: Math.ceil(left / 1000) };
  }
  return { window: { ...window, requests: window.requests + 1 }, retryAfterSeconds: null };
}

/** Whether requests can be counted. While accounting is `unavailable`, every request gets 503. */
type Accounting = 'available' | 'unavailable';

/** The limits for all keys. */
export interface LimitSettings {
  /** Null: no limit. */
  readonly rateLimit: RateLimit | null;
  readonly accounting: Accounting;
}

/** The limits of a server and the request counts of its keys. */
export interface RequestLimits {
  readonly settings: LimitSettings;
  /** Changes the given settings. A given `rateLimit` resets all counts, even if it is unchanged. */
  change(settings: Partial<LimitSettings>): void;
  /**
   * Counts a request of a key.
   *
   * @param now - milliseconds since the epoch
   * @returns null if the request is accepted, else the seconds until the next window, rounded up
   */
  take(keyId: string, now: number): number | null;
}

/** Creates limits in memory, with one window per key. */
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

/** An arbitrary value: the end of the outage is unknown. */
const ACCOUNTING_RETRY_SECONDS = 1;

/** The part of an authenticated request that its limit depends on. */
interface KeyState extends RequestState {
  readonly key: { readonly id: string };
}

/** Counts the request for its key. Responds 429 above the limit, 503 while accounting is unavailable. */
export function limitRequests(limits: RequestLimits, clock: Clock): Middleware<KeyState> {
  return function requestLimit(ctx, next) {
    if (limits.settings.accounting === 'unavailable') throw unavailable();
    const seconds = limits.take(ctx.state.key.id, clock.now());
    if (seconds !== null) throw tooMany(seconds);
    return next();
  };
}

function tooMany(seconds: number): ApiError {
  const message = 'this key has used all requests of the current window';
  return refusal('rate_limited', ROOT, message, {
    hint: `Retry after ${seconds} s (Retry-After).`,
    headers: { 'Retry-After': String(seconds) },
  });
}

function unavailable(): ApiError {
  const message = 'request accounting is unavailable, so this request was not processed';
  return refusal('accounting_unavailable', ROOT, message, {
    hint: 'Retry after the time in Retry-After.',
    headers: { 'Retry-After': String(ACCOUNTING_RETRY_SECONDS) },
  });
}
