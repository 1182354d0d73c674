import { createHmac, timingSafeEqual } from 'node:crypto';

import { ApiError, issue, ROOT } from '../http/api-error.ts';
import type { ReadonlyState } from '../state/state.ts';

/** Where the storage stands on the server. */
export const STORAGE_PREFIX = '/_storage';

/** What an address is to be good for. */
export interface Grant {
  /** `GET` is good for HEAD as well. */
  readonly method: 'GET' | 'PUT';
  /** Below {@link STORAGE_PREFIX}, as it stands in the URL: escape what needs it. */
  readonly path: string;
  /** Further parameters that the signature is to cover, such as `examples=a%2Cb`; default none. */
  readonly query?: string;
  /** Unix seconds; {@link expiryAfter} makes them. At that second the address is good no more. */
  readonly expires: number;
}

/** What came with a request: its method, its raw path and its raw query. */
interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly querystring: string;
}

/** When an address expires that is given out now, in unix seconds: good for at least `seconds`. */
export function expiryAfter(nowMilliseconds: number, seconds: number): number {
  return Math.ceil(nowMilliseconds / 1000) + seconds;
}

/**
 * Makes an address of the storage that opens without an API key until it expires: path and query, to
 * stand behind the origin of the server. The same grant and seed give the same bytes.
 *
 * @param seed - `state.ids.seed`; what it opens is invented data
 */
export function signAddress({ method, path, query, expires }: Grant, seed: number): string {
  const covered = `${query === undefined ? '' : `${query}&`}expires=${expires}`;
  return `${path}?${covered}&signature=${digest(seed, method, path, covered)}`;
}

const SIGNED_QUERY = /^((?:.*&)?expires=(\d{1,15}))&signature=([0-9a-f]{64})$/s;

/**
 * Refuses a request whose address {@link signAddress} did not make, or made for an earlier time.
 *
 * @throws {ApiError} 403 with the code `address_invalid` or `address_expired`
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
  const message = 'the address does not carry a signature of this server that fits it';
  return new ApiError(403, [issue('address_invalid', ROOT, message)], {
    hint: 'Use the address exactly as it was given out, with the method that it is for.',
  });
}

function expired(expires: number): ApiError {
  const message = `the address was good until ${new Date(expires * 1000).toISOString()}`;
  return new ApiError(403, [issue('address_expired', ROOT, message)], {
    hint: 'Ask the API again for a fresh address.',
  });
}

/** When an address is given out, in milliseconds since the epoch, and how long it is good for. */
interface Lifetime {
  readonly now: number;
  readonly seconds: number;
}

/**
 * The address, behind the origin of the server, that gives the archive of a dataset without an API key.
 *
 * @param exampleIds - of the examples that it opens; null for the whole dataset
 */
export function exportAddress(
  state: ReadonlyState,
  automationId: string,
  exampleIds: readonly string[] | null,
  { now, seconds }: Lifetime,
): string {
  const grant = {
    method: 'GET',
    path: `${STORAGE_PREFIX}/exports/${automationId}`,
    expires: expiryAfter(now, seconds),
  } as const;
  // Ids need no escape, and the address must not outgrow what a server takes.
  const query = exampleIds === null ? {} : { query: `exampleIds=${exampleIds.join(',')}` };
  return signAddress({ ...grant, ...query }, state.ids.seed);
}
