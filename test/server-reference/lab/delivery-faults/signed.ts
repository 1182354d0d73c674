import { createHmac } from 'node:crypto';

import { SIGNATURE_PREFIX } from '@hookproof/spec';

import { START } from '../control/control-client.ts';
import type { Arrival } from '../../events/endpoint-listener.ts';

/** Verifies the signature of a request. */
export interface Signed {
  /** Seconds after the start of the virtual clock. */
  readonly second: number;
  /** Whether the signature matches the bytes that arrived. */
  readonly fits: boolean;
}

export function signed(
  { headers, body }: Pick<Arrival, 'headers' | 'body'>,
  secret: string,
): Signed {
  const timestamp = String(headers['webhook-timestamp']);
  const digest = createHmac('sha256', secret)
    .update(`${String(headers['webhook-id'])}.${timestamp}.`)
    .update(body)
    .digest('hex');
  return {
    second: Number(timestamp) - START / 1000,
    fits: headers['webhook-signature'] === SIGNATURE_PREFIX + digest,
  };
}
