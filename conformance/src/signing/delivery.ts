import type { HeaderPair } from '../http/exchange.ts';
import { keyBytes, signature } from './signer.ts';
import type { SecretEncoding } from './signer.ts';

/** A delivery of the contract's sender: the headers that it always has, and the body. */
export interface SignedDelivery {
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | string;
}

/** The headers of every delivery. It names its sender, as the contract asks. */
export const COMMON_HEADERS: readonly HeaderPair[] = [
  ['content-type', 'application/json'],
  ['user-agent', 'hookproof'],
];

/** Signs an event for a time in whole seconds since the epoch. */
export function signDelivery(
  { id, body }: { readonly id: string; readonly body: Uint8Array | string },
  by: { readonly secret: string; readonly secretEncoding: SecretEncoding },
  seconds: number,
): SignedDelivery {
  const timestamp = String(seconds);
  const key = keyBytes(by.secret, by.secretEncoding);
  return {
    headers: [
      ...COMMON_HEADERS,
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', signature(key, { id, timestamp, body })],
    ],
    body,
  };
}
