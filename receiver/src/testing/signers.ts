import { createHmac } from 'node:crypto';

import { knownOptions } from '../argument-checks.ts';
import type { RunEvent } from '../generated/run-events.ts';
import { retriesOfPlatform } from '../runs/create-ingress.ts';
import { github } from '../sources/github.ts';
import { standardWebhooks } from '../sources/standard-webhooks.ts';
import { stripe } from '../sources/stripe.ts';
import { readSecret } from '../verify/secrets.ts';
import type { SecretEncoding } from '../verify/secrets.ts';
import { signEvent } from './sign.ts';

/** Signs events as one sender does, for `testReceiver()` and `testSender()`. */
export interface Signer<Event> {
  /** Returns the id by which a receiver recognises a repetition. */
  idOf(event: Event): string;
  /**
   * Returns the delivery of an event.
   *
   * @param at The time of signing, in milliseconds since the epoch.
   * @param secret Another secret than that of the sender, to sign wrongly.
   */
  sign(event: Event, at: number, secret?: string): SignedRequest;
  /** Whether the sender sends a delivery again that got this status. */
  readonly retries: (status: number) => boolean;
}

/** A signed delivery of any sender. */
export interface SignedRequest {
  /** The headers of the signature, and the content type. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that are signed. */
  readonly body: Uint8Array;
}

export interface SignerOptions {
  /** The secret of the source. */
  readonly secret: string;
}

export interface PlatformSignerOptions extends SignerOptions {
  /** How the key is made from the secret. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
}

/** The body of an event of Stripe. */
export interface StripeTestEvent {
  /** The id, such as `evt_1`. */
  readonly id: string;
  /** The type, such as `invoice.paid`: the name of its handler. */
  readonly type: string;
  /** When it occurred, in seconds since the epoch. */
  readonly created?: number;
  /** What handlers get as `data`. */
  readonly data: { readonly object: unknown; readonly previous_attributes?: unknown };
}

/** A delivery of GitHub. */
export interface GitHubTestEvent {
  /** The header `x-github-delivery`. */
  readonly id: string;
  /** The header `x-github-event`, such as `pull_request`. */
  readonly event: string;
  /** The body, such as `{ action: 'opened', … }`. */
  readonly payload: object;
}

/** A delivery of a sender of Standard Webhooks. */
export interface StandardWebhooksTestEvent {
  /** The header `webhook-id`. */
  readonly id: string;
  /** The body, such as `{ type: 'contact.created', data: { … } }`. */
  readonly payload: object;
}

/**
 * Signs the events of runs as the platform does.
 *
 * @throws {TypeError} When the secret or an option is invalid.
 * @example
 * ```ts
 * import { platformSigner, runCreatedEvent } from '@hookproof/receiver/testing';
 *
 * const runs = platformSigner({ secret: 'whsec_c2VjcmV0' });
 * console.log(runs.sign(runCreatedEvent(), Date.now()).headers['webhook-id']);
 * ```
 */
export function platformSigner(options: PlatformSignerOptions): Signer<RunEvent> {
  knownOptions(options, ['secret', 'secretEncoding']);
  const { secret: own, ...encoding } = options;
  readSecret(own, encoding.secretEncoding, 'secret');
  return {
    idOf: ({ id }) => id,
    sign: (event, at, secret = own) => signEvent(event, { secret, ...encoding, now: () => at }),
    retries: retriesOfPlatform,
  };
}

/**
 * Signs events as Stripe does, in `stripe-signature`. With `stripeSigner<Stripe.Event>` of the
 * package `stripe` they are typed.
 *
 * @throws {TypeError} When the secret or an option is invalid.
 * @example
 * ```ts
 * import { stripe } from '@hookproof/receiver/stripe';
 * import { stripeSigner, testReceiver } from '@hookproof/receiver/testing';
 *
 * const secret = 'whsec_of_a_test';
 * const paid: unknown[] = [];
 * const app = await testReceiver({
 *   sources: { payments: stripe({ secrets: secret }) },
 *   signers: { payments: stripeSigner({ secret }) },
 *   handlers: { payments: { 'invoice.paid': ({ data }) => void paid.push(data) } },
 * });
 * const event = { id: 'evt_1', type: 'invoice.paid', data: { object: { id: 'in_1' } } };
 * await app.deliver('payments', [event], { copies: 2 });
 * console.log(paid.length); // 1
 * await app.close();
 * ```
 */
export function stripeSigner<
  Event extends { readonly id: string; readonly type: string } = StripeTestEvent,
>(options: SignerOptions): Signer<Event> {
  knownOptions(options, ['secret']);
  const { secret: own } = options;
  const { retries } = stripe({ secrets: own });
  return {
    idOf: ({ id }) => id,
    sign(event, at, secret = own) {
      const body = bytesOf(event);
      const timestamp = Math.floor(at / 1000);
      const digest = hmac(secret, `${timestamp}.`, body).digest('hex');
      return delivery(body, { 'stripe-signature': `t=${timestamp},v1=${digest}` });
    },
    retries,
  };
}

/**
 * Signs payloads as GitHub does, in `x-hub-signature-256`. The id and the name of the event are not
 * signed.
 *
 * @throws {TypeError} When the secret or an option is invalid.
 * @example
 * ```ts
 * import { githubSigner, testSender } from '@hookproof/receiver/testing';
 *
 * const sender = testSender({
 *   url: 'http://127.0.0.1:3000/hooks/github',
 *   signer: githubSigner({ secret: 'a secret' }),
 * });
 * const payload = { action: 'opened', pull_request: { number: 12 } };
 * await sender.send([{ id: 'delivery-1', event: 'pull_request', payload }]);
 * ```
 */
export function githubSigner(options: SignerOptions): Signer<GitHubTestEvent> {
  knownOptions(options, ['secret']);
  const { secret: own } = options;
  const { retries } = github({ secrets: own });
  return {
    idOf: ({ id }) => id,
    sign({ id, event, payload }, _at, secret = own) {
      const body = bytesOf(payload);
      return delivery(body, {
        'x-github-delivery': id,
        'x-github-event': event,
        'x-hub-signature-256': `sha256=${hmac(secret, body).digest('hex')}`,
      });
    },
    retries,
  };
}

/**
 * Signs payloads as https://www.standardwebhooks.com says.
 *
 * @throws {TypeError} When the secret or an option is invalid.
 * @example
 * ```ts
 * import { standardWebhooksSigner } from '@hookproof/receiver/testing';
 *
 * const crm = standardWebhooksSigner({ secret: 'whsec_c2VjcmV0' });
 * const payload = { type: 'contact.created', data: { email: 'ada@example.com' } };
 * console.log(crm.sign({ id: 'msg_1', payload }, Date.now()).headers['webhook-signature']);
 * ```
 */
export function standardWebhooksSigner(options: SignerOptions): Signer<StandardWebhooksTestEvent> {
  knownOptions(options, ['secret']);
  const { secret: own } = options;
  const { retries } = standardWebhooks({ secrets: own });
  return {
    idOf: ({ id }) => id,
    sign({ id, payload }, at, secret = own) {
      const body = bytesOf(payload);
      const timestamp = Math.floor(at / 1000);
      const key = readSecret(secret, 'base64', 'secret');
      return delivery(body, {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${hmac(key, `${id}.${timestamp}.`, body).digest('base64')}`,
      });
    },
    retries,
  };
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

function hmac(key: string | Uint8Array, ...message: readonly (string | Uint8Array)[]) {
  const mac = createHmac('sha256', key);
  for (const part of message) mac.update(part);
  return mac;
}

function delivery(body: Buffer, headers: SignedRequest['headers']): SignedRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body };
}
