import { createHmac } from 'node:crypto';

import { SIGNATURE_PREFIX } from '@hookproof/spec';
import type { RunEvent } from '@hookproof/spec';

import { readSecret } from '../verify/secrets.ts';
import type { SecretEncoding } from '../verify/secrets.ts';

/** The three signature headers of a delivery; a type, so that it fits wherever a record of headers does. */
export type SignedHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

export interface SignOptions {
  /** The endpoint secret with its prefix `whsec_`. */
  readonly secret: string;
  /** How the key is made from the secret. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
  /** The event id, for `webhook-id`. */
  readonly id: string;
  /** Seconds since the epoch. A string is signed and sent as it stands, to try wrong spellings. */
  readonly timestamp: number | string;
  /** The body; a string is signed as UTF-8. */
  readonly body: string | Uint8Array;
}

/**
 * Signs a body as the platform does.
 *
 * @throws {TypeError} When the secret cannot be one.
 */
export function sign(options: SignOptions): SignedHeaders {
  const { secret, secretEncoding, id, timestamp, body } = options;
  const mac = createHmac('sha256', readSecret(secret, secretEncoding));
  const digest = mac.update(`${id}.${timestamp}.`).update(body).digest('hex');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': SIGNATURE_PREFIX + digest,
  };
}

/** A delivery ready to be sent or to be handed to a receiver. */
export interface SignedDelivery {
  readonly headers: SignedHeaders & { readonly 'content-type': 'application/json' };
  readonly body: Buffer;
}

export interface SignEventOptions {
  /** The endpoint secret with its prefix `whsec_`. */
  readonly secret: string;
  /** How the key is made from the secret. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
  /** The moment of signing, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Writes an event as JSON and signs it with its own id.
 *
 * @throws {TypeError} When the secret cannot be one.
 */
export function signEvent(event: RunEvent, options: SignEventOptions): SignedDelivery {
  const { now = Date.now, ...key } = options;
  const body = Buffer.from(JSON.stringify(event), 'utf8');
  const timestamp = Math.floor(now() / 1000);
  const headers = sign({ ...key, id: event.id, timestamp, body });
  return { headers: { 'content-type': 'application/json', ...headers }, body };
}
