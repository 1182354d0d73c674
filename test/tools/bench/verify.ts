import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

import { createVerifier } from '@hookproof/receiver/verify';

import { atLeast, compareRow, perSecond } from './bench.ts';
import type { Bench } from './bench.ts';
import { deliveryOf, SECRET } from './delivery.ts';
import { requirePeer } from './processes.ts';
import { processorRates } from './processor-rates.ts';

/** Compares verification with the bare HMAC and with two other libraries, of which stripe also parses the body. */
export const verify: Bench = {
  title: 'verify: one delivery of 1 KB, from headers to verdict, processor time',
  run() {
    const delivery = deliveryOf(1_024);
    const rates = processorRates({
      verify: checked(delivery.body, ownVerify(delivery.headers)),
      createHmac: checked(delivery.body, bareVerify(delivery)),
      stripe: checked(delivery.body, stripeVerify(delivery.body)),
      standardwebhooks: checked(delivery.body, standardVerify(delivery)),
    });
    return Promise.resolve([
      compareRow(rates.verify, rates.createHmac, perSecond, (ratio) => atLeast(0.8, ratio)),
      compareRow(rates.verify, rates.stripe, perSecond, (ratio) => atLeast(3, ratio)),
      compareRow(rates.verify, rates.standardwebhooks, perSecond, (ratio) => atLeast(5, ratio)),
    ]);
  },
};

type Verify = (body: Buffer) => unknown;

/** The functions of the peers that we call. Their types take longer to check than those of all benches. */
interface Stripe {
  readonly webhooks: {
    constructEvent(body: Buffer, header: string, secret: string): unknown;
    generateTestHeaderString(options: { payload: string; secret: string }): string;
  };
}

interface StandardWebhooks {
  readonly Webhook: new (secret: string) => {
    sign(id: string, at: Date, body: string): string;
    verify(
      body: Buffer,
      headers: Readonly<Record<string, string>>,
      options?: { readonly jsonParse: boolean },
    ): unknown;
  };
}

function ownVerify(headers: Readonly<Record<string, string>>): Verify {
  const verifier = createVerifier({ secrets: SECRET });
  return (body) => verifier.verifySignature(headers, body);
}

/** The floor: given the three values, it checks neither their format nor the time. */
function bareVerify({ id, timestamp, signature }: ReturnType<typeof deliveryOf>): Verify {
  const key = createSecretKey(Buffer.from(SECRET));
  return (body) => {
    const computed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    const received = Buffer.from(signature.slice(3), 'hex');
    const isEqual = computed.length === received.length && timingSafeEqual(computed, received);
    if (!isEqual) throw new Error('refused');
  };
}

function stripeVerify(signed: Buffer): Verify {
  const constructor: new (key: string) => Stripe = requirePeer('stripe');
  const { webhooks } = new constructor('sk_test_bench');
  const header = webhooks.generateTestHeaderString({ payload: signed.toString(), secret: SECRET });
  return (body) => webhooks.constructEvent(body, header, SECRET);
}

function standardVerify({
  id,
  timestamp,
  headers,
  body: signed,
}: ReturnType<typeof deliveryOf>): Verify {
  const { Webhook }: StandardWebhooks = requirePeer('standardwebhooks');
  const webhook = new Webhook(SECRET);
  const signature = webhook.sign(id, new Date(Number(timestamp) * 1_000), signed.toString());
  const changed = { ...headers, 'webhook-signature': signature };
  return (body) => webhook.verify(body, changed, { jsonParse: false });
}

/** Returns the call to measure, once it accepts the valid body and refuses one with a changed byte. */
function checked(body: Buffer, run: Verify): () => unknown {
  const changed = Buffer.from(body);
  changed.writeUInt8(changed.readUInt8(changed.length - 20) ^ 1, changed.length - 20);
  run(body);
  if (accepts(() => run(changed))) throw new Error('A changed body must be refused.');
  return () => run(body);
}

function accepts(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
