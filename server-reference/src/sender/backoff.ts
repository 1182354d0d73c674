/** How often and how fast a delivery is tried again. */
export interface RetryProfile {
  /** Automatic attempts in all, the first one included. */
  readonly attempts: number;
  /** The longest wait before the second attempt; it doubles, or as `factor` says, with each further one. */
  readonly firstDelayMilliseconds: number;
  readonly factor: number;
  /** No wait is longer, `Retry-After` aside. */
  readonly capMilliseconds: number;
}

export type RetryProfileName = 'real' | 'fast' | 'instant';

/** Waits between attempts: `real` 2.5 s to 1 h, `fast` 0.2 s to 10 s, `instant` none. */
export const RETRY_PROFILES: Readonly<Record<RetryProfileName, RetryProfile>> = {
  real: { attempts: 8, firstDelayMilliseconds: 5_000, factor: 4, capMilliseconds: 3_600_000 },
  fast: { attempts: 8, firstDelayMilliseconds: 400, factor: 2, capMilliseconds: 10_000 },
  instant: { attempts: 8, firstDelayMilliseconds: 0, factor: 1, capMilliseconds: 0 },
};

/**
 * How long to wait after the n-th automatic attempt has failed, in whole milliseconds: between half
 * of the profile's wait and the whole of it.
 *
 * @param attemptsMade - 1 or more
 * @param random - 0 to below 1, spreads deliveries that failed together
 */
export function backoffDelay(profile: RetryProfile, attemptsMade: number, random: number): number {
  const { firstDelayMilliseconds, factor, capMilliseconds } = profile;
  const longest = Math.min(capMilliseconds, firstDelayMilliseconds * factor ** (attemptsMade - 1));
  return Math.round(longest / 2 + (longest / 2) * random);
}
