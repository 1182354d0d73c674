import type { HeaderPair } from '../http/exchange.ts';
import { keyBytes, signature } from './signer.ts';
import type { SecretEncoding } from './signer.ts';

/** A delivery of the contract's sender: the headers that it always has, and the body. */
export interface SignedDelivery {
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | string;
}

/** Every delivery of the suite names its sender, as the contract asks. */
export const USER_AGENT: HeaderPair = ['user-agent', 'hookproof'];

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
      ['content-type', 'application/json'],
      USER_AGENT,
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', signature(key, { id, timestamp, body })],
    ],
    body,
  };
}
