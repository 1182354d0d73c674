import { WebhookVerificationError } from '../errors.ts';
import type { VerificationErrorCode } from '../errors.ts';

const LONGEST_QUOTE = 40;

const HEADER_FORMS = {
  id: '1 to 256 visible ASCII characters without a comma',
  timestamp: 'Unix seconds as 1 to 12 decimal digits without sign, blank or leading zero',
  signature: '"v1," followed by exactly 64 hex digits',
} as const;

const MALFORMED_CODES = {
  id: 'id_malformed',
  timestamp: 'timestamp_malformed',
  signature: 'signature_malformed',
} as const satisfies Record<string, VerificationErrorCode>;

export function malformedHeader(
  part: keyof typeof HEADER_FORMS,
  value: string,
): WebhookVerificationError {
  return new WebhookVerificationError(
    MALFORMED_CODES[part],
    `The header webhook-${part} must be ${HEADER_FORMS[part]}; received ${quote(value)}.`,
  );
}

export function signatureMismatch(secretCount: number): WebhookVerificationError {
  const secrets = secretCount === 1 ? 'the secret' : `any of the ${secretCount} secrets`;
  return new WebhookVerificationError(
    'signature_mismatch',
    `The signature does not fit this id, timestamp and body under ${secrets}. Check that the secret ` +
      'belongs to this endpoint and that the body is the bytes received, not parsed and written again.',
  );
}

export function outsideTolerance(age: number, toleranceSeconds: number): WebhookVerificationError {
  return age > 0
    ? new WebhookVerificationError(
        'timestamp_too_old',
        `The delivery was signed ${age} seconds ago, ${toleranceSeconds} are allowed. If every ` +
          'delivery is refused like this, set the clock of this machine.',
      )
    : new WebhookVerificationError(
        'timestamp_too_new',
        `The delivery was signed ${-age} seconds in the future, ${toleranceSeconds} are allowed. ` +
          'If every delivery is refused like this, set the clock of this machine.',
      );
}

/** Header values are a stranger's: shortened, and escaped so that a log line stays one line. */
function quote(value: string): string {
  if (value.length <= LONGEST_QUOTE) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, LONGEST_QUOTE))} and ${value.length - LONGEST_QUOTE} more`;
}
