import { createHmac } from 'node:crypto';

import { SIGNATURE_HEADERS, SIGNATURE_PREFIX } from '@hookproof/spec';

/** The input of a signature. */
interface SignedMessage {
  /** The event id. */
  readonly id: string;
  /** The time of signing, in seconds since the epoch. */
  readonly timestamp: number;
  readonly payload: Uint8Array;
}

/**
 * Returns the value of `webhook-signature`: the prefix and the HMAC-SHA256 in lower-case hex. The key is the
 * whole secret as UTF-8, including `whsec_`.
 */
export function sign(secret: string, { id, timestamp, payload }: SignedMessage): string {
  const digest = createHmac('sha256', secret)
    .update(`${id}.${timestamp}.`)
    .update(payload)
    .digest('hex');
  return SIGNATURE_PREFIX + digest;
}

/** The User-Agent of this sender, with its version. */
const USER_AGENT = 'Hookproof-Reference/0.1.0';

/** Returns the headers of an attempt: those of the contract and the custom headers of the endpoint. */
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
