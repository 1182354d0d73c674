/**
 * Every reason to refuse a delivery, with the stage that found it:
 *
 * - `headers`: a signature header is missing, repeated or does not have its form;
 * - `signature`: the digest does not belong to these bytes and this secret;
 * - `freshness`: authentic, but signed too far from the present;
 * - `event`: authentic and fresh, but the body is not an event of the contract.
 *
 * The stages come in this order and the first refusal ends the check.
 */
export const VERIFICATION_ERROR_STAGES = {
  header_missing: 'headers',
  header_repeated: 'headers',
  id_malformed: 'headers',
  timestamp_malformed: 'headers',
  signature_malformed: 'headers',
  signature_mismatch: 'signature',
  timestamp_too_old: 'freshness',
  timestamp_too_new: 'freshness',
  body_not_utf8: 'event',
  body_not_json: 'event',
  event_invalid: 'event',
  event_id_mismatch: 'event',
} as const;

/** Stable name of one reason to refuse; meant for an exhaustive `switch`. */
export type VerificationErrorCode = keyof typeof VERIFICATION_ERROR_STAGES;

/** Which part of the check refused. Only `freshness` and `event` concern authentic bytes. */
export type VerificationStage = (typeof VERIFICATION_ERROR_STAGES)[VerificationErrorCode];

/**
 * A delivery was refused. `code` says why and never changes between releases, `stage` says how far
 * the check came, `message` is for people: what was expected, what came, what to do. No message
 * holds a secret, a computed digest or any part of the body.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: VerificationErrorCode;
  declare readonly stage: VerificationStage;

  constructor(code: VerificationErrorCode, message: string) {
    super(message);
    this.code = code;
    this.stage = VERIFICATION_ERROR_STAGES[code];
  }
}
