import { refusal } from './errors.ts';
import type { WebhookVerificationError } from './errors.ts';

/** One of the three signature headers, by what follows `webhook-` in its name. */
export type HeaderPart = 'id' | 'timestamp' | 'signature';

/** The form of each signature header, and its description for messages. */
export const HEADER_FORMS: Readonly<
  Record<HeaderPart, readonly [form: RegExp, description: string]>
> = {
  // Without a comma, a header that a proxy repeated and joined with commas never passes as one id.
  id: [/^[!-+\--~]{1,256}$/, '1 to 256 visible ASCII without comma'],
  // Each number has one spelling.
  timestamp: [/^(?:0|[1-9]\d{0,11})$/, 'Unix seconds, 1 to 12 digits'],
  signature: [/^v1,[\da-fA-F]{64}$/, '"v1," and 64 hex digits'],
};

const MAX_QUOTED_CHARACTERS = 60;

/**
 * Describes a header that is missing (no value), came more than once (several) or is malformed
 * (one). The values are shortened and escaped, because they are untrusted: a log line stays one
 * line.
 */
export function headerError(
  part: HeaderPart,
  ...values: readonly string[]
): WebhookVerificationError {
  const quoted = JSON.stringify(values).slice(0, MAX_QUOTED_CHARACTERS);
  return refusal(
    'headers',
    values.length === 1
      ? `${part}_malformed`
      : values.length < 1
        ? 'header_missing'
        : 'header_repeated',
    `Header webhook-${part}`,
    `present once, as ${HEADER_FORMS[part][1]}`,
    `${quoted} (length ${values.join('').length})`,
    ' Pass all headers unchanged.',
  );
}
