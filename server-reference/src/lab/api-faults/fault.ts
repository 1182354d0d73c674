/** Which requests a fault is meant for: those that are like this in everything that is named. */
export interface FaultMatch {
  readonly operationId?: string;
  /** The API key itself. */
  readonly key?: string;
  readonly tenantId?: string;
  /** In capitals. */
  readonly method?: string;
  /** The whole path, without the query. */
  readonly path?: string;
}

export type FaultStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;

/** What befalls a request: a wait, and after it one end at most. Without one it goes on its way. */
export interface FaultEffect {
  readonly latencyMilliseconds?: number;
  /** It is answered with this, and not processed. */
  readonly status?: FaultStatus;
  /** The seconds in `Retry-After`, beside `status`. */
  readonly retryAfter?: number;
  /** Its connection is reset, and it is not processed. */
  readonly reset?: true;
  /** It is processed, and the connection is cut after so many bytes of the answer's body. */
  readonly truncateBody?: number;
}

/** A fault as it is ordered. */
export interface FaultOrder {
  readonly match: FaultMatch;
  /** Strikes only the nth request that matches, counted from 1. */
  readonly nth?: number;
  /** The share of matching requests that it strikes, from 0 to 1. Default 1. */
  readonly probability?: number;
  /** Strikes at most so often. */
  readonly times?: number;
  /** Strikes only so long after it was planted. */
  readonly forMilliseconds?: number;
  readonly effect: FaultEffect;
}

/** A request, as far as faults look at it. */
export interface FaultTarget extends Required<Omit<FaultMatch, 'operationId'>> {
  /** Undefined for a path that is no operation. */
  readonly operationId: string | undefined;
}

/** How far a fault is. */
export interface FaultProgress {
  /** Requests that matched, the one in question included where there is one. */
  readonly matched: number;
  /** Requests that it has struck before. */
  readonly hits: number;
  readonly elapsedMilliseconds: number;
}

const MATCHED = ['operationId', 'key', 'tenantId', 'method', 'path'] as const;

/** Whether a request is one that the fault is meant for. */
export function matches({ match }: FaultOrder, target: FaultTarget): boolean {
  return MATCHED.every((name) => match[name] === undefined || match[name] === target[name]);
}

/**
 * Whether a fault strikes a request that matches.
 *
 * @param draw - a number from 0 to below 1
 */
export function strikes(order: FaultOrder, progress: FaultProgress, draw: number): boolean {
  const { nth, times, forMilliseconds, probability = 1 } = order;
  return (
    (nth === undefined || progress.matched === nth) &&
    (times === undefined || progress.hits < times) &&
    (forMilliseconds === undefined || progress.elapsedMilliseconds < forMilliseconds) &&
    draw < probability
  );
}

/**
 * Whether a fault strikes no more, whatever comes.
 *
 * @param progress - what it has come to so far
 */
export function isSpent(order: FaultOrder, progress: FaultProgress): boolean {
  const { nth, times, forMilliseconds } = order;
  return (
    (nth !== undefined && progress.matched >= nth) ||
    (times !== undefined && progress.hits >= times) ||
    (forMilliseconds !== undefined && progress.elapsedMilliseconds >= forMilliseconds)
  );
}
