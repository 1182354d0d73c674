import { WebhookVerificationError } from '../errors.ts';
import { HEADER_FORMS } from './header-grammar.ts';
import type { HeaderPart } from './header-grammar.ts';

/** Messages are short, for they are most of what verification adds to a program. */
const LONGEST_QUOTE = 40;

export function missingHeader(part: HeaderPart): WebhookVerificationError {
  return new WebhookVerificationError(
    'header_missing',
    `The header webhook-${part} is missing; pass all headers`,
  );
}

export function repeatedHeader(part: HeaderPart): WebhookVerificationError {
  return new WebhookVerificationError(
    'header_repeated',
    `The header webhook-${part} came twice; does a proxy add it?`,
  );
}

/** The value is a stranger's: shortened, and escaped so that a log line stays one line. */
export function malformedHeader(part: HeaderPart, value: string): WebhookVerificationError {
  const quoted = JSON.stringify(value.slice(0, LONGEST_QUOTE));
  return new WebhookVerificationError(
    `${part}_malformed`,
    `The header webhook-${part} must be ${HEADER_FORMS[part].expected}, not ${quoted} (length ${value.length})`,
  );
}

export function signatureMismatch(secretCount: number): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature_mismatch',
    `The signature fits none of ${secretCount} secrets; is it that of this endpoint, the body as received?`,
  );
}

export function outsideTolerance(age: number, toleranceSeconds: number): WebhookVerificationError {
  return new WebhookVerificationError(
    age > 0 ? 'timestamp_too_old' : 'timestamp_too_new',
    `Signed ${age} seconds before now, more than ${toleranceSeconds} either way; is the clock right?`,
  );
}
