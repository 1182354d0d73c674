/** How failed handlers are tried again. */
export interface RetryPolicy {
  /** Handlings in all, the first included, before an event becomes a dead letter. */
  readonly maxAttempts: number;
  /** Wait after the first failure; each further one doubles it. */
  readonly firstDelayMilliseconds: number;
  readonly longestDelayMilliseconds: number;
}

/** Milliseconds to wait after so many failures; `null` when there are no attempts left. */
export function retryDelay(failures: number, policy: RetryPolicy): number | null {
  if (failures >= policy.maxAttempts) return null;
  const delay = policy.firstDelayMilliseconds * 2 ** (failures - 1);
  return Math.min(delay, policy.longestDelayMilliseconds);
}
