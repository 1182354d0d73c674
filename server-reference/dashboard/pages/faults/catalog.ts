import type { ApiFaultEffect, DeliveryFaultName, LimitsChange } from '@hookproof/spec/control';

/** A delivery fault with its defaults. */
export interface DeliveryCard {
  readonly name: DeliveryFaultName;
  readonly text: string;
}

export const DELIVERY_CARDS: readonly DeliveryCard[] = [
  { name: 'duplicate', text: 'Sends the next delivery twice at the same moment.' },
  { name: 'reorder', text: 'Holds the next two deliveries back, then sends the second first.' },
  { name: 'delay', text: 'Sends the next delivery 5 s late.' },
  { name: 'drop-then-redeliver', text: 'Loses the next attempt. The delivery is retried.' },
  { name: 'stale-timestamp', text: 'Signs the next delivery for a time 10 min ago.' },
  { name: 'future-timestamp', text: 'Signs the next delivery for a time in 10 min.' },
  { name: 'wrong-secret', text: 'Signs the next delivery with another secret.' },
  { name: 'tampered-body', text: 'Changes one byte of the next body after signing.' },
  { name: 'truncated-body', text: 'Cuts the connection in the middle of the next body.' },
  { name: 'slow-drip', text: 'Sends the next body in 10 pieces over 5 s.' },
];

/** An API fault with an effect and how often it applies. */
export interface ApiCard {
  readonly name: string;
  readonly text: string;
  readonly effect: ApiFaultEffect;
}

/** Each applies to the next request only. */
export const API_CARDS: readonly ApiCard[] = [
  { name: '500', text: 'Fails the next request with 500.', effect: { status: 500 } },
  {
    name: '503 with Retry-After',
    text: 'Refuses the next request for 3 s.',
    effect: { status: 503, retryAfter: 3 },
  },
  {
    name: '429 with Retry-After',
    text: 'Limits the next request for 3 s.',
    effect: { status: 429, retryAfter: 3 },
  },
  {
    name: 'latency',
    text: 'Processes the next request 3 s late.',
    effect: { latencyMilliseconds: 3_000 },
  },
  { name: 'reset', text: 'Resets the connection of the next request.', effect: { reset: true } },
  {
    name: 'truncated response',
    text: 'Cuts the next response after 20 bytes.',
    effect: { truncateBody: 20 },
  },
];

/** A limit that applies to all requests until it is removed. */
export interface LimitCard {
  readonly name: string;
  readonly text: string;
  readonly on: LimitsChange;
  readonly off: LimitsChange;
}

export const LIMIT_CARDS: readonly LimitCard[] = [
  {
    name: 'rate limit',
    text: 'Allows each key 10 requests a minute. More get 429.',
    on: { rateLimit: { requests: 10, windowSeconds: 60 } },
    off: { rateLimit: null },
  },
  {
    name: 'accounting unavailable',
    text: 'Refuses every request with 503.',
    on: { accounting: 'unavailable' },
    off: { accounting: 'available' },
  },
];
