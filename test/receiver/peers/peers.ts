import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';

import { verify as verifyOctokit } from '@octokit/webhooks-methods';
import { createVerifier } from '@hookproof/receiver/verify';
import { prepareVector } from '@hookproof/spec/vectors';
import type { SignatureVector } from '@hookproof/spec/vectors';

// The types of stripe and svix take longer to check than those of all tests of the receiver.
const requirePeer = createRequire(import.meta.url);

const SECRET = 'whsec_aG9va3Byb29mIHZlY3RvcnMsIG5vdCBhIHJlYWwgc2VjcmV0';
const BASE64_KEY = Buffer.from(SECRET.slice(6), 'base64');

/** A hostile delivery, before it is signed in the way of one library. */
interface Attempt {
  readonly id: string;
  readonly timestamp: string;
  readonly signedBody: Buffer;
  readonly body: Buffer;
  /** What follows the prefix, with placeholders for the digest. */
  readonly template: string;
}

/** A library that verifies webhooks; `verify` fails for a delivery that it refuses. */
export interface Peer {
  readonly name: string;
  /** The parts of a delivery that the library reads. */
  readonly reads: readonly ('id' | 'timestamp')[];
  verify(attempt: Attempt): unknown;
}

type Webhook = new (secret: string) => {
  verify(body: Buffer, headers: Readonly<Record<string, string>>): unknown;
};

/** The libraries, this one first. */
export function loadPeers(): readonly Peer[] {
  const stripe = new (requirePeer('stripe'))('sk_test_peers');
  const standard = (name: string): Peer => {
    const { Webhook }: { Webhook: Webhook } = requirePeer(name);
    const webhook = new Webhook(SECRET);
    return {
      name,
      reads: ['id', 'timestamp'],
      verify: (attempt) => webhook.verify(attempt.body, headersOf(attempt, BASE64_KEY, 'base64')),
    };
  };
  return [
    {
      name: 'hookproof',
      reads: ['id', 'timestamp'],
      verify: (attempt) =>
        createVerifier({ secrets: SECRET }).verifySignature(
          headersOf(attempt, Buffer.from(SECRET), 'hex'),
          attempt.body,
        ),
    },
    standard('standardwebhooks'),
    standard('svix'),
    {
      name: 'stripe',
      reads: ['timestamp'],
      verify({ timestamp, signedBody, body, template }) {
        const message = Buffer.concat([Buffer.from(`${timestamp}.`, 'latin1'), signedBody]);
        const signature = fill(
          template,
          createHmac('sha256', SECRET).update(message).digest('hex'),
        );
        stripe.webhooks.constructEvent(body, `t=${timestamp},v1=${signature}`, SECRET);
      },
    },
    {
      name: 'octokit',
      reads: [],
      async verify({ signedBody, body, template }) {
        const digest = createHmac('sha256', SECRET).update(signedBody.toString()).digest('hex');
        const signature = `sha256=${fill(template, digest)}`;
        if (!(await verifyOctokit(SECRET, body.toString(), signature))) throw new Error('refused');
      },
    },
  ];
}

/** Returns the attempt of a vector, now; undefined when its signature has another prefix than `v1,`. */
export function attemptOf(vector: SignatureVector): Attempt | undefined {
  const now = Math.floor(Date.now() / 1000);
  const { body, signed, headers } = prepareVector(vector, { secret: SECRET, now });
  const values = new Map(headers);
  const sent = new Map(vector.recipe.headers).get('webhook-signature');
  const id = values.get('webhook-id');
  const timestamp = values.get('webhook-timestamp');
  if (id === undefined || timestamp === undefined || !sent?.startsWith('v1,')) return undefined;
  return { id, timestamp, signedBody: signed.body, body, template: sent.slice(3) };
}

function headersOf(
  { id, timestamp, signedBody, template }: Attempt,
  key: Buffer,
  encoding: 'hex' | 'base64',
): Readonly<Record<string, string>> {
  const message = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), signedBody]);
  const digest = createHmac('sha256', key).update(message).digest(encoding);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${fill(template, digest)}`,
  };
}

/** Fills the placeholders of a template with a digest in the encoding of a library. */
function fill(template: string, digest: string): string {
  const half = digest.length / 2;
  return template.replaceAll(/\{digest(?:\|([a-z-]+))?\}/g, (_, form: string | undefined) => {
    if (form === 'drop-last') return digest.slice(0, -1);
    if (form === 'first-half') return digest.slice(0, half);
    if (form === 'second-half') return digest.slice(half);
    if (form === 'flip-first') return (digest.startsWith('0') ? '1' : '0') + digest.slice(1);
    if (form === 'flip-last')
      return `${digest.slice(0, -2)}${digest.at(-2) === 'A' ? 'B' : 'A'}${digest.at(-1)}`;
    return digest;
  });
}
