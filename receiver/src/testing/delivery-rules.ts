import type { TargetResponse } from './delivery-target.ts';

/** How a delivery ended. */
export type DeliveryOutcome = 'delivered' | 'refused' | 'exhausted';

const FIRST_DELAY_MILLISECONDS = 1_000;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * Returns what a response means for its delivery; `null`: it is tried again. No response is one
 * like 503.
 */
export function outcomeOf(
  { status }: TargetResponse,
  retries: (status: number) => boolean,
): Exclude<DeliveryOutcome, 'exhausted'> | null {
  if (retries(status ?? 503)) return null;
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'refused';
}

/**
 * Returns the wait after this number of attempts: 1, 2, 4 seconds and so on, or a longer
 * `Retry-After`.
 */
export function retryDelay(attempts: number, { retryAfterSeconds }: TargetResponse): number {
  const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS) * 1000;
  return Math.max(FIRST_DELAY_MILLISECONDS * 2 ** (attempts - 1), asked);
}

/** Returns the items in a random order that follows from the seed. */
export function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const random = randomNumbers(seed);
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);
}

/**
 * Returns a function that draws numbers from 0 to 1, the same ones for the same seed (mulberry32).
 */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
