import { createRequire } from 'node:module';

import { github } from '@hookproof/receiver/github';
import { standardWebhooks } from '@hookproof/receiver/standard-webhooks';
import { stripe } from '@hookproof/receiver/stripe';
import type { Source } from '@hookproof/receiver';
import { sign as signOctokit, verify as verifyOctokit } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';

import { SECRETS } from './programs/secrets.ts';

// The types of stripe take longer to check than those of all tests of the receiver.
const Stripe = createRequire(import.meta.url)('stripe');
const { webhooks: stripeWebhooks } = new Stripe('sk_test_senders');

export type Headers = Readonly<Record<string, string>>;

/** A sender, with its own library to sign and to verify. */
export interface Sender {
  readonly name: string;
  readonly source: () => Source;
  /** The body of one event. */
  readonly rawBody: Buffer;
  /** Which of its headers hold what is signed. */
  readonly signature: string;
  readonly sign: (
    rawBody: Uint8Array,
    at: number,
    secret?: string,
    id?: string,
  ) => Promise<Headers>;
  /** Rejects what the library of the sender refuses, now. */
  readonly verify: (headers: Headers, rawBody: Buffer) => Promise<unknown>;
  readonly secret: string;
  readonly otherSecret: string;
}

const { crm: STANDARD_SECRET, stripe: STRIPE_SECRET, code: GITHUB_SECRET } = SECRETS;
const DELIVERY_ID = '72d3162e-cc78-11e3-81ab-4c9367dc0958';

export const STANDARD: Sender = {
  name: 'Standard Webhooks',
  source: () => standardWebhooks({ secrets: STANDARD_SECRET }),
  rawBody: Buffer.from(
    '{"type":"contact.created","timestamp":"2026-07-01T12:00:00Z","data":{"id":7}}',
  ),
  signature: 'webhook-signature',
  secret: STANDARD_SECRET,
  otherSecret: 'whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlIENSTQ==',
  async sign(rawBody, at, secret = STANDARD_SECRET, id = 'msg_1') {
    const time = new Date(at);
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, time, Buffer.from(rawBody)),
    };
  },
  async verify(headers, rawBody) {
    return new Webhook(STANDARD_SECRET).verify(rawBody, { ...headers });
  },
};

export const STRIPE: Sender = {
  name: 'Stripe',
  source: () => stripe({ secrets: STRIPE_SECRET }),
  rawBody: Buffer.from(
    '{"id":"evt_1","object":"event","type":"invoice.paid","created":1782907200,"data":{"object":{"id":"in_1"}}}',
  ),
  signature: 'stripe-signature',
  secret: STRIPE_SECRET,
  otherSecret: 'whsec_another_secret_of_stripe',
  async sign(rawBody, at, secret = STRIPE_SECRET) {
    const payload = Buffer.from(rawBody).toString();
    const header: string = stripeWebhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(at / 1000),
    });
    return { 'stripe-signature': header };
  },
  async verify(headers, rawBody) {
    return stripeWebhooks.constructEvent(rawBody, headers['stripe-signature'], STRIPE_SECRET);
  },
};

export const GITHUB: Sender = {
  name: 'GitHub',
  source: () => github({ secrets: GITHUB_SECRET }),
  rawBody: Buffer.from(
    '{"action":"opened","pull_request":{"number":12},"repository":{"full_name":"octo/cat"}}',
  ),
  signature: 'x-hub-signature-256',
  secret: GITHUB_SECRET,
  otherSecret: 'another secret',
  async sign(rawBody, _at, secret = GITHUB_SECRET) {
    return {
      'x-github-delivery': DELIVERY_ID,
      'x-github-event': 'pull_request',
      'x-hub-signature-256': await signOctokit(secret, Buffer.from(rawBody).toString()),
    };
  },
  async verify(headers, rawBody) {
    const signature = headers['x-hub-signature-256'] ?? '';
    if (!(await verifyOctokit(GITHUB_SECRET, rawBody.toString(), signature))) {
      throw new Error('refused');
    }
  },
};

export const SENDERS: readonly Sender[] = [STANDARD, STRIPE, GITHUB];
