import { optionsObject } from '../argument-checks.ts';
import { TIMESTAMP_TOLERANCE_SECONDS } from '../generated/constants.ts';
import { mustBe, refusal, WebhookVerificationError } from './errors.ts';
import type { CheckedHeaders } from './headers.ts';
import { checkEncoding } from './secrets.ts';
import type { ReadSecrets, SecretEncoding, Secrets } from './secrets.ts';

export interface VerifierOptions {
  /**
   * The endpoint secret with its prefix `whsec_`, up to 8 secrets during a rotation, or a function
   * that returns them.
   */
  readonly secrets: Secrets;
  /** How keys are made from the secrets. Default: `utf8`, the bytes of the whole string. */
  readonly secretEncoding?: SecretEncoding;
  /** Maximum difference between the timestamp and now, in seconds, inclusive. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Returns the current time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Options of a verifier whose secrets come from a function. */
export interface ReadingVerifierOptions extends Omit<VerifierOptions, 'secrets'> {
  /**
   * Returns the secrets, also in a promise. It is called for each delivery, so let it keep what a
   * secret manager returned for a while. When it throws, verification rejects with
   * `SecretsUnavailableError`.
   */
  readonly secrets: ReadSecrets;
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

/** @throws {TypeError} When it is not a non-negative integer. */
export function readTolerance(seconds: number = TIMESTAMP_TOLERANCE_SECONDS): number {
  if (Number.isInteger(seconds) && seconds >= 0) return seconds;
  throw new TypeError(mustBe('toleranceSeconds', 'a non-negative integer', seconds));
}

/** How a delivery was signed. */
export interface Signed {
  /** Position of the secret that its digest matches, -1 for none. */
  readonly secretIndex: number;
  readonly secretCount: number;
  /** In seconds since the epoch. */
  readonly timestamp: number;
}

/**
 * Judges a delivery by the secret that its digest matches and by the signed time.
 *
 * @throws {WebhookVerificationError} `signature_mismatch`, `timestamp_too_old` or
 *   `timestamp_too_new`.
 */
export function requireAccepted(
  { secretIndex, secretCount, timestamp }: Signed,
  toleranceSeconds: number,
  now: number,
): void {
  if (secretIndex < 0) {
    const message =
      `Signature must match one of the configured secrets (${secretCount}), got another. ` +
      'The secret is wrong, or the body was changed on its way.';
    throw new WebhookVerificationError('signature', 'signature_mismatch', message);
  }
  const age = Math.floor(now / 1000) - timestamp;
  if (Number.isNaN(age)) throw new TypeError(mustBe('now()', 'milliseconds', age));
  if (Math.abs(age) <= toleranceSeconds) return;
  const code = age > 0 ? 'timestamp_too_old' : 'timestamp_too_new';
  const expected = `within ${toleranceSeconds} s of now`;
  throw refusal('freshness', code, 'Timestamp', expected, `age ${age} s`, ' Check both clocks.');
}

/** Returns what the signature of a delivery proves, or throws as `requireAccepted` does. */
export type Judge = (
  headers: Pick<CheckedHeaders, 'id' | 'timestamp'>,
  secretIndex: number,
  secretCount: number,
) => VerifiedDelivery;

/** @throws {TypeError} When an option is invalid. */
export function readJudge(options: Omit<VerifierOptions, 'secrets'>): Judge {
  optionsObject(options, ['secrets', 'secretEncoding', 'toleranceSeconds', 'now']);
  checkEncoding(options.secretEncoding);
  const { now = Date.now } = options;
  const toleranceSeconds = readTolerance(options.toleranceSeconds);
  return ({ id, timestamp }, secretIndex, secretCount) => {
    requireAccepted({ secretIndex, secretCount, timestamp }, toleranceSeconds, now());
    return { id, timestamp, secretIndex };
  };
}

export function readsSecrets(
  options: VerifierOptions | ReadingVerifierOptions,
): options is ReadingVerifierOptions {
  return typeof options.secrets === 'function';
}
