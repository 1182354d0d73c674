import { TIMESTAMP_TOLERANCE_SECONDS } from '../generated/constants.ts';
import { mustBe, refusal } from './errors.ts';
import type { CheckedHeaders } from './headers.ts';
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
  /** Position of the secret that matches. */
  readonly secretIndex: number;
}

/** What a verifier needs, however it computes digests. */
export interface VerifierSettings {
  /** One key for each secret. */
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
  /**
   * Judges a delivery by the secret that its digest matches (-1 for none) and by its timestamp.
   *
   * @throws {WebhookVerificationError} `signature_mismatch`, `timestamp_too_old` or `timestamp_too_new`.
   */
  readonly judge: (
    headers: Pick<CheckedHeaders, 'id' | 'timestamp'>,
    secretIndex: number,
  ) => VerifiedDelivery;
}

/** @throws {TypeError} When an option is invalid. */
export function readVerifierOptions(options: VerifierOptions): VerifierSettings {
  const keys = readSecrets(options.secrets, options.secretEncoding);
  const { toleranceSeconds = TIMESTAMP_TOLERANCE_SECONDS, now = Date.now } = options;
  if (!Number.isInteger(toleranceSeconds) || toleranceSeconds < 0) {
    throw new TypeError(mustBe('toleranceSeconds', 'a non-negative integer', toleranceSeconds));
  }
  return {
    keys,
    judge({ id, timestamp }, secretIndex) {
      if (secretIndex < 0) {
        const fix = ' Check the secret, and that rawBody is unmodified.';
        const expected = `of one of the configured secrets (${keys.length})`;
        throw refusal('signature', 'signature_mismatch', 'Signature', expected, 'another', fix);
      }
      const age = Math.floor(now() / 1000) - timestamp;
      if (Number.isNaN(age)) throw new TypeError(mustBe('now()', 'milliseconds', age));
      if (Math.abs(age) <= toleranceSeconds) return { id, timestamp, secretIndex };
      const code = age > 0 ? 'timestamp_too_old' : 'timestamp_too_new';
      const expected = `within ${toleranceSeconds} s of now`;
      throw refusal(
        'freshness',
        code,
        'Timestamp',
        expected,
        `age ${age} s`,
        ' Check both clocks.',
      );
    },
  };
}
