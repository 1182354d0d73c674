import { refusal } from '../verify/errors.ts';
import type { WebhookVerificationError } from '../verify/errors.ts';
import { requireAccepted } from '../verify/verifier-options.ts';
import type { VerifiedEvent } from './source.ts';

/**
 * Judges a delivery by the secret that signed it (-1 for none) and by the signed time; `null` when
 * no time is signed.
 *
 * @throws {WebhookVerificationError} `signature_mismatch`, `timestamp_too_old` or
 *   `timestamp_too_new`.
 */
export function judge(
  secretCount: number,
  secretIndex: number,
  signedAt: number | null,
  toleranceSeconds: number,
  now: number,
): Pick<VerifiedEvent, 'timestamp' | 'secretIndex'> {
  const timestamp = signedAt ?? Math.floor(now / 1000);
  requireAccepted({ secretIndex, secretCount, timestamp }, toleranceSeconds, now);
  return { timestamp, secretIndex };
}

/** The refusal of a header with another form. */
export function malformed(
  part: 'id' | 'timestamp' | 'signature',
  header: string,
  form: string,
): WebhookVerificationError {
  const fix = ' Pass all headers unchanged.';
  return refusal('headers', `${part}_malformed`, `Header ${header}`, form, 'another text', fix);
}
