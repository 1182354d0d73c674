/** The limits of handling an event again after a failure. */
export interface RetryPolicy {
  /** How long an event is tried, from its first failure on. 0: the first failure is final. */
  readonly forMilliseconds: number;
  /** Wait after the first failure; each further failure doubles it. */
  readonly firstDelayMilliseconds: number;
  readonly maxDelayMilliseconds: number;
}

/**
 * A failed event: how often it failed, this time included, and how long ago it failed for the first
 * time.
 */
interface FailedEvent {
  readonly id: string;
  readonly failures: number;
  readonly failingFor: number;
}

/**
 * Thrown by a handler that cannot succeed: the event becomes a dead letter at once. `redrive()`
 * hands it to its handlers again.
 *
 * @example
 * ```ts
 * import { GiveUp } from '@hookproof/receiver';
 * import type { RunEvent } from '@hookproof/receiver';
 *
 * export async function book({ data }: RunEvent): Promise<void> {
 *   if (data.run.output === undefined) throw new GiveUp('The run has no output to book.');
 * }
 * ```
 */
export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}

/**
 * Thrown by a handler that knows when it can succeed: the next attempt is after this time, and not
 * after the usual wait. When that is later than `retryForHours` after the first failure, it is the
 * last attempt.
 *
 * @example
 * ```ts
 * import { RetryLater } from '@hookproof/receiver';
 *
 * export async function notify(url: string): Promise<void> {
 *   const { status, headers } = await fetch(url, { method: 'POST' });
 *   const seconds = Number(headers.get('retry-after') ?? 60);
 *   if (status === 429) throw new RetryLater({ milliseconds: seconds * 1_000 });
 * }
 * ```
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  /** How long to wait. */
  readonly milliseconds: number;

  /** @throws {TypeError} When `milliseconds` is not a number of at least 0. */
  constructor(
    { milliseconds }: { readonly milliseconds: number },
    message: string = `The handler asked for another attempt in ${milliseconds} ms.`,
    options?: ErrorOptions,
  ) {
    super(message, options);
    if (typeof milliseconds !== 'number' || !(milliseconds >= 0) || milliseconds === Infinity) {
      throw new TypeError(`milliseconds must be a number of at least 0, got ${milliseconds}.`);
    }
    this.milliseconds = milliseconds;
  }
}

/**
 * Returns the milliseconds until the next attempt; `null` when there is none. The last attempt is
 * made when the time of the event is over.
 *
 * @param asked - the exact wait that a handler asked for, or the least that a service did
 */
export function retryDelay(
  { id, failures, failingFor }: FailedEvent,
  policy: RetryPolicy,
  asked: { readonly exactly?: number; readonly atLeast?: number } = {},
): number | null {
  const left = Math.ceil(policy.forMilliseconds - failingFor);
  if (left <= 0) return null;
  if (asked.exactly !== undefined) return asked.exactly;
  return Math.max(Math.min(backoff(failures, id, policy), left), asked.atLeast ?? 0);
}

/**
 * Returns the wait after this number of failures or crashes in a row. It is up to a fifth shorter,
 * by an amount that differs from event to event, so that those which failed together do not all
 * come back at one moment.
 */
export function backoff(
  count: number,
  id: string,
  { firstDelayMilliseconds, maxDelayMilliseconds }: Omit<RetryPolicy, 'forMilliseconds'>,
): number {
  const whole = Math.min(firstDelayMilliseconds * 2 ** (count - 1), maxDelayMilliseconds);
  return Math.ceil(whole * (1 - shareOf(id) / 5));
}

/** Returns a number from 0 to 1 that is the same for an id (FNV-1a). */
function shareOf(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01_00_01_93);
  }
  return (hash >>> 0) / 2 ** 32;
}
