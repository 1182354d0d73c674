import { timingSafeEqual } from 'node:crypto';

import { TIMESTAMP_TOLERANCE_SECONDS } from '@hookproof/spec';

import { readDigest } from './header-grammar.ts';
import { readHeaders } from './header-source.ts';
import type { HeaderSource } from './header-source.ts';
import { prepareHmacSha256 } from './hmac-sha256.ts';
import { requireRawBytes } from './raw-body.ts';
import { malformedHeader, outsideTolerance, signatureMismatch } from './refusals.ts';
import { readSecrets } from './secrets.ts';
import type { SecretEncoding } from './secrets.ts';

export interface VerifierOptions {
  /** The endpoint secret with its prefix `whsec_`, or up to 8 of them while secrets are rotated. */
  readonly secrets: string | readonly string[];
  /** How keys are made from the secrets. Default: `utf8`, the bytes of the whole string. */
  readonly secretEncoding?: SecretEncoding;
  /** Furthest distance of the timestamp from the present, in seconds, itself allowed. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The present, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** What the signature proves about a delivery. */
export interface VerifiedDelivery {
  /** The event id, stable over retries and redelivery: the idempotency key. */
  readonly id: string;
  /** When this attempt was signed, in seconds since the epoch. */
  readonly timestamp: number;
  /** Position of the secret that fits; the first one if several do. */
  readonly secretIndex: number;
}

export interface Verifier {
  /**
   * Proves that `rawBody` was signed with one of the secrets, close enough to the present. The body
   * is not decoded. Whole seconds are compared: the present is rounded down.
   *
   * @param rawBody The bytes of the body exactly as received.
   * @throws {WebhookVerificationError} With `stage` `headers` (a header is missing, repeated or
   *   malformed), `signature` (`signature_mismatch`) or `freshness` (authentic, but
   *   `timestamp_too_old` or `timestamp_too_new`), checked in this order.
   * @throws {TypeError} When `rawBody` is not bytes or `headers` is no source of headers.
   */
  verifySignature(headers: HeaderSource, rawBody: Uint8Array): VerifiedDelivery;
}

const DIGEST_BYTES = 32;

/**
 * Prepares the keys once, for any number of deliveries.
 *
 * @throws {TypeError} When an option cannot be right: no secret, more than 8, a secret without its
 *   prefix or with surrounding blanks, a tolerance that is not a whole number from 0 on.
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const macs = readSecrets(options.secrets, options.secretEncoding).map(prepareHmacSha256);
  const toleranceSeconds = options.toleranceSeconds ?? TIMESTAMP_TOLERANCE_SECONDS;
  if (!Number.isInteger(toleranceSeconds) || toleranceSeconds < 0) {
    throw new TypeError(
      `toleranceSeconds must be a whole number from 0 on, not ${toleranceSeconds}`,
    );
  }
  const now = options.now ?? Date.now;
  const received = Buffer.alloc(DIGEST_BYTES);
  const computed = Buffer.alloc(DIGEST_BYTES);

  return {
    verifySignature(source, rawBody) {
      requireRawBytes(rawBody);
      const headers = readHeaders(source);
      const timestamp = Number(headers.timestamp);
      if (!readDigest(headers.signature, received)) {
        throw malformedHeader('signature', headers.signature);
      }

      const head = `${headers.id}.${headers.timestamp}.`;
      let secretIndex = -1;
      // Every secret costs one MAC, fitting or not, so that the time taken does not tell which fits.
      for (const [index, mac] of macs.entries()) {
        computed.write(mac(head, rawBody), 'latin1');
        if (timingSafeEqual(computed, received) && secretIndex < 0) secretIndex = index;
      }
      if (secretIndex < 0) throw signatureMismatch(macs.length);

      const age = Math.floor(now() / 1000) - timestamp;
      if (Number.isNaN(age)) throw new TypeError('now() must return milliseconds, not NaN');
      if (Math.abs(age) > toleranceSeconds) throw outsideTolerance(age, toleranceSeconds);
      return { id: headers.id, timestamp, secretIndex };
    },
  };
}
