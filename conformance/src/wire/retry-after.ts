/** Longest wait that a target may ask of the suite, for one answer. */
export const MAX_WAIT_MILLISECONDS = 20_000;

/** How long to wait after an answer 429 or 503; seconds or an HTTP date; one second when it says nothing readable. */
export function retryAfterMilliseconds(header: string | undefined, now: number): number {
  if (header !== undefined && /^[0-9]{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? 1000 : Math.max(0, date - now);
}
