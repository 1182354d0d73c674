/**
 * Maps every reason to refuse a delivery to the stage of the check that found it:
 *
 * - `headers`: a signature header is missing, repeated or malformed;
 * - `signature`: the digest does not match these bytes under any configured secret;
 * - `freshness`: authentic, but the timestamp is outside the tolerance;
 * - `event`: authentic and fresh, but the body is not an event of the contract.
 *
 * The stages run in this order, and the first refusal ends the check.
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

/** Stable name of one reason to refuse, made for an exhaustive `switch`. */
export type VerificationErrorCode = keyof typeof VERIFICATION_ERROR_STAGES;

/** The stage that refused. Only `freshness` and `event` concern authentic bytes. */
export type VerificationStage = (typeof VERIFICATION_ERROR_STAGES)[VerificationErrorCode];

/**
 * Reports a refused delivery. `code` is the reason and stays the same between releases. `stage` is
 * the part of the check that refused. `message` is for people: subject, expected, received, fix. It
 * never contains a secret, a computed digest or a part of the body.
 *
 * @example
 * ```ts
 * import { WebhookVerificationError, verify } from '@hookproof/receiver/verify';
 *
 * export function statusOf(rawBody: Uint8Array, headers: Headers, secret: string): number {
 *   try {
 *     verify(rawBody, headers, { secrets: secret });
 *     return 202;
 *   } catch (error) {
 *     if (!(error instanceof WebhookVerificationError)) throw error;
 *     if (error.stage === 'event') return 202;
 *     return error.stage === 'freshness' ? 425 : 401;
 *   }
 * }
 * ```
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /** What was wrong, stable between releases. */
  declare readonly code: VerificationErrorCode;
  /** The part of the check that refused. */
  declare readonly stage: VerificationStage;

  constructor(stage: VerificationStage, code: VerificationErrorCode, message: string) {
    super(message);
    this.stage = stage;
    this.code = code;
  }
}

/** Writes a message: what a subject must be, what was received, and a fix. */
export function mustBe(
  subject: string,
  expected: string,
  received: unknown,
  fix: string = '',
): string {
  return `${subject} must be ${expected}, got ${String(received)}.${fix}`;
}

/** The codes of one stage. */
type CodeOf<Stage extends VerificationStage> = {
  [Code in VerificationErrorCode]: (typeof VERIFICATION_ERROR_STAGES)[Code] extends Stage
    ? Code
    : never;
}[VerificationErrorCode];

/** Creates the error for a refused delivery, with such a message. */
export function refusal<Stage extends VerificationStage>(
  stage: Stage,
  code: CodeOf<Stage>,
  ...parts: Parameters<typeof mustBe>
): WebhookVerificationError {
  return new WebhookVerificationError(stage, code, mustBe(...parts));
}
