import { createHmac, timingSafeEqual } from 'node:crypto';

import { isoTime } from '../../clock/clock.ts';
import { ROOT, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { AutomationId, ExampleId } from '../../store/ids.ts';
import type { ReadonlyState } from '../../store/state.ts';

/** The path prefix of the storage. */
export const STORAGE_PREFIX = '/_storage';

/** The request that a signed URL allows. */
interface Grant {
  /** `GET` also allows HEAD. */
  readonly method: 'GET' | 'PUT';
  /** Starts with {@link STORAGE_PREFIX}, percent-encoded. */
  readonly path: string;
  /** Extra signed parameters, such as `examples=a%2Cb`. Default none. */
  readonly query?: string;
  /** Unix seconds, from {@link expiryAfter}. The URL is valid before this second. */
  readonly expires: number;
}

/** The method, raw path and raw query of a request. */
interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly querystring: string;
}

/** Returns the expiry in Unix seconds of a URL that is valid for at least `seconds`. */
export function expiryAfter(nowMilliseconds: number, seconds: number): number {
  return Math.ceil(nowMilliseconds / 1000) + seconds;
}

/**
 * Returns a signed URL of the storage, without the origin. It needs no API key until it expires. The same
 * grant and seed give the same URL.
 *
 * @param seed - `state.ids.seed`; it is no secret, because the data of this server is invented
 */
export function signAddress({ method, path, query, expires }: Grant, seed: number): string {
  const covered = `${query === undefined ? '' : `${query}&`}expires=${expires}`;
  return `${path}?${covered}&signature=${digest(seed, method, path, covered)}`;
}

const SIGNED_QUERY = /^((?:.*&)?expires=(\d{1,15}))&signature=([0-9a-f]{64})$/s;

/**
 * Refuses a request whose URL {@link signAddress} did not sign, or whose URL has expired.
 *
 * @throws {ApiError} `address_invalid` or `address_expired`
 */
export function checkAddress(
  { method, path, querystring }: SignedRequest,
  seed: number,
  nowMilliseconds: number,
): void {
  const [, covered, expires, signature] = SIGNED_QUERY.exec(querystring) ?? [];
  if (covered === undefined || expires === undefined || signature === undefined) throw invalid();
  const expected = digest(seed, method === 'HEAD' ? 'GET' : method, path, covered);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) throw invalid();
  if (nowMilliseconds >= Number(expires) * 1000) throw expired(Number(expires));
}

function digest(seed: number, method: string, path: string, covered: string): string {
  return createHmac('sha256', `storage:${seed}`)
    .update(`${method}\n${path}\n${covered}`)
    .digest('hex');
}

function invalid(): ApiError {
  const message = 'the URL must have a valid signature';
  return refusal('address_invalid', ROOT, message, {
    hint: 'Use the URL unchanged and with the method that it was issued for.',
  });
}

function expired(expires: number): ApiError {
  const message = `the URL expired at ${isoTime(expires * 1000)}`;
  return refusal('address_expired', ROOT, message, {
    hint: 'Request a new URL from the API.',
  });
}

/** The current time in milliseconds since the epoch, and how long a URL is valid. */
interface Lifetime {
  readonly now: number;
  readonly seconds: number;
}

/**
 * Returns the signed URL, without the origin, of a dataset archive.
 *
 * @param exampleIds - the examples in the archive; null for the whole dataset
 */
export function exportAddress(
  state: ReadonlyState,
  automationId: AutomationId,
  exampleIds: readonly ExampleId[] | null,
  { now, seconds }: Lifetime,
): string {
  const grant = {
    method: 'GET',
    path: `${STORAGE_PREFIX}/exports/${automationId}`,
    expires: expiryAfter(now, seconds),
  } as const;
  // Ids need no percent-encoding, so the URL stays short.
  const query = exampleIds === null ? {} : { query: `exampleIds=${exampleIds.join(',')}` };
  return signAddress({ ...grant, ...query }, state.ids.seed);
}
