import { SIGNATURE_PREFIX } from '../generated/constants.ts';
import { headerFinder } from './find-headers.ts';
import type { FoundHeaders, HeaderSource } from './find-headers.ts';
import { HEADER_FORMS, headerError } from './header-forms.ts';
import type { HeaderPart } from './header-forms.ts';

/**
 * The signature headers of one delivery, each present once and well-formed. They are not authentic
 * before `verifySignature` has accepted them with the body. Only `checkHeaders` creates them.
 */
export class CheckedHeaders {
  /** The event id that the delivery claims. */
  declare readonly id: string;
  /** When the delivery claims to have been signed, in seconds since the epoch. */
  declare readonly timestamp: number;
  /** The start of the signed message, before the body. */
  declare readonly head: string;
  /** The 64 hex digits of `webhook-signature`. */
  declare readonly digest: string;
  /** Only instances have this type. */
  declare private readonly checked: true;

  constructor(id: string, timestamp: string, signature: string) {
    this.id = id;
    this.timestamp = Number(timestamp);
    this.head = `${id}.${timestamp}.`;
    this.digest = signature.slice(SIGNATURE_PREFIX.length);
  }
}

const findSignature = headerFinder('webhook-id', 'webhook-timestamp', 'webhook-signature');

/**
 * Returns the three signature headers, each present once and well-formed.
 *
 * @throws {WebhookVerificationError} `header_missing`, `header_repeated` or `…_malformed`.
 * @throws {TypeError} When `source` is not a source of headers.
 */
export function readHeaders(source: HeaderSource): CheckedHeaders {
  return checkedHeaders(findSignature(source));
}

/** As `readHeaders`, for headers that were found already. */
export function checkedHeaders(found: FoundHeaders<string>): CheckedHeaders {
  const { 'webhook-id': id = [], 'webhook-timestamp': timestamp = [] } = found;
  const { 'webhook-signature': signature = [] } = found;
  refuseRepeated('id', id);
  refuseRepeated('timestamp', timestamp);
  refuseRepeated('signature', signature);
  return new CheckedHeaders(
    wellFormed('id', id),
    wellFormed('timestamp', timestamp),
    wellFormed('signature', signature),
  );
}

function refuseRepeated(part: HeaderPart, values: readonly string[]): void {
  if (values.length > 1) throw headerError(part, ...values);
}

function wellFormed(part: HeaderPart, [value]: readonly string[]): string {
  if (value === undefined) throw headerError(part);
  if (!HEADER_FORMS[part][0].test(value)) throw headerError(part, value);
  return value;
}
