import type { ApiFaultEffect, ApiFaultMatch, ApiFaultOrder } from '@hookproof/spec/control';

export type { ApiFaultEffect, ApiFaultMatch, ApiFaultOrder };

/** The part of a request that a fault looks at. */
export interface ApiFaultTarget {
  /** Undefined for a path that is no operation. */
  readonly operationId: string | undefined;
  readonly key: string;
  readonly tenantId: string;
  readonly method: string;
  readonly path: string;
}

/** What a fault has done so far. */
export interface ApiFaultProgress {
  /** Requests that matched, including the request in question. */
  readonly matched: number;
  /** Requests that it hit before. */
  readonly hits: number;
  readonly elapsedMilliseconds: number;
}

const MATCHED = ['operationId', 'key', 'tenantId', 'method', 'path'] as const;

/** Whether a fault matches a request. */
export function matches({ match }: ApiFaultOrder, target: ApiFaultTarget): boolean {
  return MATCHED.every((name) => match[name] === undefined || match[name] === target[name]);
}

/**
 * Whether a fault hits a request that matches.
 *
 * @param draw - a number from 0 to below 1
 */
export function applies(order: ApiFaultOrder, progress: ApiFaultProgress, draw: number): boolean {
  const { nth, times, forMilliseconds, probability = 1 } = order;
  return (
    (nth === undefined || progress.matched === nth) &&
    (times === undefined || progress.hits < times) &&
    (forMilliseconds === undefined || progress.elapsedMilliseconds < forMilliseconds) &&
    draw < probability
  );
}

/**
 * Whether a fault hits no further request.
 *
 * @param progress - what it has done so far
 */
export function isExhausted(order: ApiFaultOrder, progress: ApiFaultProgress): boolean {
  const { nth, times, forMilliseconds } = order;
  return (
    (nth !== undefined && progress.matched >= nth) ||
    (times !== undefined && progress.hits >= times) ||
    (forMilliseconds !== undefined && progress.elapsedMilliseconds >= forMilliseconds)
  );
}
