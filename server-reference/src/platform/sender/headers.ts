import { createHmac } from 'node:crypto';

import { SIGNATURE_HEADERS, SIGNATURE_PREFIX } from '@hookproof/spec';

/** What one attempt signs. */
export interface SignedMessage {
  /** The event id. */
  readonly id: string;
  /** Seconds since the epoch at which this attempt is signed. */
  readonly timestamp: number;
  readonly payload: Uint8Array;
}

/**
 * The value of `webhook-signature`: the prefix and the HMAC-SHA256 in lower-case hex. The key is the
 * whole secret as UTF-8, its `whsec_` included.
 */
export function sign(secret: string, { id, timestamp, payload }: SignedMessage): string {
  const digest = createHmac('sha256', secret)
    .update(`${id}.${timestamp}.`)
    .update(payload)
    .digest('hex');
  return SIGNATURE_PREFIX + digest;
}

/** Names this sender and its release. */
export const USER_AGENT = 'Hookproof-Reference/0.1.0';

/** The headers of one attempt: those of the contract, and the endpoint's own. */
export function deliveryHeaders(
  message: SignedMessage,
  secret: string,
  custom: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...custom,
    'content-type': 'application/json',
    'content-length': String(message.payload.byteLength),
    'user-agent': USER_AGENT,
    [SIGNATURE_HEADERS.id]: message.id,
    [SIGNATURE_HEADERS.timestamp]: String(message.timestamp),
    [SIGNATURE_HEADERS.signature]: sign(secret, message),
  };
}
