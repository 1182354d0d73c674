import { timingSafeEqual } from 'node:crypto';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../generated/constants.ts';

import { WebhookVerificationError } from './errors.ts';
import { CheckedHeaders, readHeaders } from './headers.ts';
import type { HeaderSource } from './headers.ts';
import { prepareHmacSha256 } from './hmac-sha256.ts';
import { requireRawBytes } from './raw-body.ts';
import { readSecrets } from './secrets.ts';
import type { SecretEncoding } from './secrets.ts';

export interface VerifierOptions {
  /** The endpoint secret with its prefix `whsec_`, or up to 8 secrets during a rotation. */
  readonly secrets: string | readonly string[];
  /** How keys are made from the secrets. Default: `utf8`, the bytes of the whole string. */
  readonly secretEncoding?: SecretEncoding;
  /** Maximum difference between the timestamp and now, in seconds, inclusive. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Returns the current time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The facts about a delivery that its signature proves. */
export interface VerifiedDelivery {
  /** The event id, stable over retries and redelivery: the idempotency key. */
  readonly id: string;
  /** When this attempt was signed, in seconds since the epoch. */
  readonly timestamp: number;
  /** Position of the secret that matches; the first one if several do. */
  readonly secretIndex: number;
}

export interface Verifier {
  /**
   * Checks the signature headers before the body is read: each is present once and well-formed. Pass the
   * result to `verifySignature`. Nothing in it is authentic yet.
   *
   * @throws {WebhookVerificationError} With `stage` `headers`.
   * @throws {TypeError} When `headers` is not a source of headers.
   */
  checkHeaders(headers: HeaderSource): CheckedHeaders;
  /**
   * Verifies that `rawBody` was signed with one of the secrets and that the timestamp is within the
   * tolerance. Compares whole seconds: the current time is rounded down. Does not decode the body.
   *
   * @param headers All headers, or the result of `checkHeaders`.
   * @param rawBody The bytes of the body exactly as received.
   * @throws {WebhookVerificationError} With `stage` `headers` (a header is missing, repeated or
   *   malformed), `signature` (`signature_mismatch`) or `freshness` (authentic, but
   *   `timestamp_too_old` or `timestamp_too_new`), checked in this order.
   * @throws {TypeError} When `rawBody` is not bytes or `headers` is not a source of headers.
   */
  verifySignature(headers: HeaderSource | CheckedHeaders, rawBody: Uint8Array): VerifiedDelivery;
}

const DIGEST_BYTES = 32;

/**
 * Creates a verifier, which prepares the keys once for any number of deliveries.
 *
 * Requirements: `signature.raw-bytes`, `signature.message.verified`, `signature.header.strict`,
 * `signature.timestamp.strict`, `signature.digest.length`, `signature.constant-time`,
 * `limits.timestamp-tolerance`.
 *
 * @throws {TypeError} When an option is invalid: no secret, more than 8, a secret without its
 *   prefix or with surrounding whitespace, a tolerance that is not a non-negative integer.
 * @example
 * ```ts
 * import { createVerifier } from '@hookproof/receiver/verify';
 *
 * const verifier = createVerifier({ secrets: ['whsec_new', 'whsec_old'] });
 *
 * export async function webhookId(request: Request): Promise<string> {
 *   const rawBody = new Uint8Array(await request.arrayBuffer());
 *   return verifier.verifySignature(request.headers, rawBody).id;
 * }
 * ```
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const macs = readSecrets(options.secrets, options.secretEncoding).map(prepareHmacSha256);
  const toleranceSeconds = options.toleranceSeconds ?? TIMESTAMP_TOLERANCE_SECONDS;
  if (!Number.isInteger(toleranceSeconds) || toleranceSeconds < 0) {
    throw new TypeError(
      `toleranceSeconds must be a non-negative integer, got ${toleranceSeconds}.`,
    );
  }
  const now = options.now ?? Date.now;
  const received = Buffer.alloc(DIGEST_BYTES);
  const computed = Buffer.alloc(DIGEST_BYTES);

  return {
    checkHeaders: readHeaders,
    verifySignature(source, rawBody) {
      requireRawBytes(rawBody);
      const headers = source instanceof CheckedHeaders ? source : readHeaders(source);
      const { id, timestamp } = headers;
      received.set(headers.digest);
      const head = `${id}.${timestamp}.`;
      let secretIndex = -1;
      // Every secret costs one MAC, also after a match, so that the time does not reveal which one matched.
      for (const [index, mac] of macs.entries()) {
        computed.write(mac(head, rawBody), 'latin1');
        if (timingSafeEqual(computed, received) && secretIndex < 0) secretIndex = index;
      }
      if (secretIndex < 0) throw signatureMismatch(macs.length);

      const age = Math.floor(now() / 1000) - timestamp;
      if (Number.isNaN(age)) throw new TypeError('now() must return milliseconds, got NaN.');
      if (Math.abs(age) > toleranceSeconds) throw outsideTolerance(age, toleranceSeconds);
      return { id, timestamp, secretIndex };
    },
  };
}

function signatureMismatch(secretCount: number): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature_mismatch',
    `Signature matches none of the configured secrets (${secretCount}). ` +
      'Check the endpoint secret, and that rawBody is the unmodified body.',
  );
}

function outsideTolerance(age: number, toleranceSeconds: number): WebhookVerificationError {
  return new WebhookVerificationError(
    age > 0 ? 'timestamp_too_old' : 'timestamp_too_new',
    `Timestamp is ${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'} ` +
      `(tolerance ±${toleranceSeconds} s). Check both clocks.`,
  );
}
