import { createHmac } from 'node:crypto';

import { SIGNATURE_PREFIX } from '@hookproof/spec';

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
