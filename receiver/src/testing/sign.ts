import { createHmac } from 'node:crypto';

import { optionsObject } from '../argument-checks.ts';
import { SIGNATURE_PREFIX } from '../generated/constants.ts';
import type { RunEvent } from '../generated/run-events.ts';

import { readSecret } from '../verify/secrets.ts';
import type { SecretEncoding } from '../verify/secrets.ts';

/**
 * The three signature headers of a delivery. A type alias, because an interface is not a record of
 * headers.
 */
export type SignedHeaders = {
  /** The event id. */
  readonly 'webhook-id': string;
  /** The time of signing, in seconds since the epoch. */
  readonly 'webhook-timestamp': string;
  /** The signature of both and the body. */
  readonly 'webhook-signature': string;
};

export interface SignOptions {
  /** The endpoint secret with its prefix `whsec_`. */
  readonly secret: string;
  /** How the key is made from the secret. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
  /** The event id, for `webhook-id`. */
  readonly id: string;
  /** Seconds since the epoch. A string is signed and sent unchanged, to test invalid forms. */
  readonly timestamp: number | string;
  /** The body; a string is signed as UTF-8. */
  readonly body: string | Uint8Array;
}

// Requirements: signature.message.signed, webhook-header.signature.format,
// webhook-header.timestamp.seconds.
/**
 * Signs a body as the platform does, with any id, time and bytes. For a well-formed event use
 * `signEvent`.
 *
 * @throws {TypeError} When the secret is invalid.
 * @example
 * ```ts
 * import { sign } from '@hookproof/receiver/testing';
 *
 * const headers = sign({
 *   secret: 'whsec_c2VjcmV0',
 *   id: 'whev_1',
 *   timestamp: Math.floor(Date.now() / 1000),
 *   body: '{"id":"whev_1"}',
 * });
 * console.log(headers['webhook-signature']);
 * ```
 */
export function sign(options: SignOptions): SignedHeaders {
  optionsObject(options, ['secret', 'id', 'timestamp', 'body']);
  const { secret, secretEncoding, id, timestamp, body } = options;
  const mac = createHmac('sha256', readSecret(secret, secretEncoding, 'secret'));
  const digest = mac.update(`${id}.${timestamp}.`).update(body).digest('hex');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': SIGNATURE_PREFIX + digest,
  };
}

/** A delivery to send, or to pass to `receiver.receive()`. */
export interface SignedDelivery {
  /** The signature headers and the content type. */
  readonly headers: SignedHeaders & {
    /** The content type of every delivery. */
    readonly 'content-type': 'application/json';
  };
  /** The exact bytes that are signed. */
  readonly body: Buffer;
}

export interface SignEventOptions {
  /** The endpoint secret with its prefix `whsec_`. */
  readonly secret: string;
  /** How the key is made from the secret. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
  /** Returns the time of signing in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

// Requirements: signature.message.signed, webhook-header.id.equals-body.
/**
 * Serialises an event as JSON and signs it with its id.
 *
 * @throws {TypeError} When the secret is invalid.
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
 *
 * export async function deliver(receiver: Receiver): Promise<number> {
 *   const { headers, body } = signEvent(runCreatedEvent(), { secret: 'whsec_c2VjcmV0' });
 *   const response = await receiver.receive({ method: 'POST', headers, body });
 *   return response.status;
 * }
 * ```
 */
export function signEvent(event: RunEvent, options: SignEventOptions): SignedDelivery {
  optionsObject(event, ['id', 'type', 'data'], 'event');
  optionsObject(options, ['secret']);
  const { now = Date.now, ...key } = options;
  const body = Buffer.from(JSON.stringify(event), 'utf8');
  const timestamp = Math.floor(now() / 1000);
  const headers = sign({ ...key, id: event.id, timestamp, body });
  return { headers: { 'content-type': 'application/json', ...headers }, body };
}
