import type { ApiFaultEffect, ApiFaultMatch, ApiFaultOrder } from '@hookproof/spec/control';

export type { ApiFaultEffect, ApiFaultMatch, ApiFaultOrder };

/** The properties of a request that a fault can match. */
export interface ApiFaultTarget {
  /** Undefined if the path is not an operation. */
  readonly operationId: string | undefined;
  readonly key: string;
  readonly tenantId: string;
  readonly method: string;
  readonly path: string;
}

/** The counters of a fault. */
export interface ApiFaultProgress {
  /** The number of matching requests, including the current one. */
  readonly matched: number;
  /** The number of previous hits. */
  readonly hits: number;
  readonly elapsedMilliseconds: number;
}

const MATCHED = ['operationId', 'key', 'tenantId', 'method', 'path'] as const;

/** Returns whether a fault matches a request. */
export function matches({ match }: ApiFaultOrder, target: ApiFaultTarget): boolean {
  return MATCHED.every((name) => match[name] === undefined || match[name] === target[name]);
}

/**
 * Returns whether a fault applies to a matching request.
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
 * Returns whether a fault applies to no further request.
 *
 * @param progress - its counters so far
 */
export function isExhausted(order: ApiFaultOrder, progress: ApiFaultProgress): boolean {
  const { nth, times, forMilliseconds } = order;
  return (
    (nth !== undefined && progress.matched >= nth) ||
    (times !== undefined && progress.hits >= times) ||
    (forMilliseconds !== undefined && progress.elapsedMilliseconds >= forMilliseconds)
  );
}
