import type { WebhookEvent } from './decode-event.ts';

/** A field whose spelling differs from the usual one. */
export type EventDeviation =
  'createdAt' | 'data.run.createdAt' | 'data.previousStatus' | 'data.currentStatus';

const USUAL_TIME =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Returns the fields of an authentic event that are spelt in an unusual way which the contract permits:
 *
 * - a time in another spelling of ISO 8601 than `YYYY-MM-DDTHH:MM:SS`, an optional fraction after a point,
 *   and `Z` or `±HH:MM`. `Date.parse` may not read it; `parseIsoTime` of `@hookproof/receiver/order` does;
 * - `previousStatus` or `currentStatus` that is `null` in place of absent in a `run.created` event.
 *
 * The receiver keeps and handles such an event. Report it to the sender if you want to.
 *
 * @returns The fields in this order, each by its path. Empty for the usual spelling.
 * @example
 * ```ts
 * import { eventDeviations } from '@hookproof/receiver/verify';
 * import { runCreatedEvent } from '@hookproof/receiver/testing';
 *
 * const event = runCreatedEvent({ createdAt: '20260701T120000Z' });
 * console.log(eventDeviations(event)); // ['createdAt']
 * ```
 */
export function eventDeviations(event: WebhookEvent): readonly EventDeviation[] {
  const deviations: EventDeviation[] = [];
  if (!USUAL_TIME.test(event.createdAt)) deviations.push('createdAt');
  if (event.type === 'unknown') return deviations;
  if (!USUAL_TIME.test(event.data.run.createdAt)) deviations.push('data.run.createdAt');
  if (event.data.previousStatus === null) deviations.push('data.previousStatus');
  if (event.data.currentStatus === null) deviations.push('data.currentStatus');
  return deviations;
}
