import { SIGNATURE_HEADERS } from '@hookproof/spec';

import type { SignedMessage } from './sign.ts';
import { sign } from './sign.ts';

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
