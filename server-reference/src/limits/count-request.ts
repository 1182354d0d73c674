/** How many requests a key may make in a window. */
export interface RateLimit {
  /** 1 or more. */
  readonly requests: number;
  /** 1 to {@link LONGEST_WINDOW_SECONDS}. */
  readonly windowSeconds: number;
}

/** A day. */
export const LONGEST_WINDOW_SECONDS = 86_400;

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
