import { createVerifier, decodeEvent } from '@hookproof/receiver/verify';
import { atLeast } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { compare } from './compare.ts';
import { deliveryOf, SECRET } from './delivery.ts';
import { loadStandardWebhooks, loadStripe } from './peers.ts';
import { plainHmac } from './plain-hmac.ts';

const SIZES = [
  { name: '1 KB', bytes: 1024, bars: { plain: 1.3, stripe: 4, standardwebhooks: 7 } },
  { name: '10 KB', bytes: 10_240, bars: { plain: 0.98 } },
  { name: '256 KB', bytes: 262_144, bars: { plain: 0.98 } },
] as const;

/** Compares verification with the bare HMAC and with two other libraries. */
export const verifySpeed: Bench = {
  title: 'verify: one delivery, headers to verdict',
  run: (processorTime) => Promise.resolve(SIZES.flatMap((size) => measure(size, processorTime))),
};

function measure(
  { name, bytes, bars }: (typeof SIZES)[number],
  processorTime: () => number,
): Row[] {
  const delivery = deliveryOf(bytes);
  const result = compare(checked(candidates(delivery)), processorTime);
  const row = (
    what: 'verify' | 'verify and decode',
    against: 'plain' | 'stripe' | 'standardwebhooks' | 'standardwebhooks, parsing',
    bar?: number,
  ): Row => {
    const ratio = result.ratio(what, against);
    return {
      what: `${what}, ${name}`,
      measured: `${rate(result.perSecond(what))}/s`,
      against: `${LABELS[against]} ${rate(result.perSecond(against))}/s`,
      ratio,
      bar: bar === undefined ? null : atLeast(bar, ratio),
    };
  };
  return [
    row('verify', 'plain', bars.plain),
    row('verify', 'stripe', 'stripe' in bars ? bars.stripe : undefined),
    row(
      'verify',
      'standardwebhooks',
      'standardwebhooks' in bars ? bars.standardwebhooks : undefined,
    ),
    row('verify and decode', 'stripe'),
    row('verify and decode', 'standardwebhooks, parsing'),
  ];
}

const LABELS = {
  plain: 'bare HMAC',
  stripe: 'stripe (parses)',
  standardwebhooks: 'standardwebhooks, no parsing',
  'standardwebhooks, parsing': 'standardwebhooks (parses)',
} as const;

function candidates({ body, ...delivery }: ReturnType<typeof deliveryOf>) {
  const verifier = createVerifier({ secrets: SECRET });
  const plain = plainHmac(SECRET);
  const stripe = loadStripe();
  const stripeHeader = stripe.webhooks.generateTestHeaderString({
    payload: body.toString(),
    secret: SECRET,
  });
  const { Webhook } = loadStandardWebhooks();
  const standard = new Webhook(SECRET);
  const standardHeaders = {
    ...delivery.headers,
    'webhook-signature': standard.sign(
      delivery.id,
      new Date(Number(delivery.timestamp) * 1000),
      body.toString(),
    ),
  };
  return {
    body,
    run: {
      verify: (bytes: Buffer) => verifier.verifySignature(delivery.headers, bytes),
      'verify and decode': (bytes: Buffer) =>
        decodeEvent(bytes, verifier.verifySignature(delivery.headers, bytes).id),
      plain(bytes: Buffer) {
        if (!plain({ ...delivery, body: bytes })) throw new Error('refused');
      },
      stripe: (bytes: Buffer) => stripe.webhooks.constructEvent(bytes, stripeHeader, SECRET),
      standardwebhooks: (bytes: Buffer) =>
        standard.verify(bytes, standardHeaders, { jsonParse: false }),
      'standardwebhooks, parsing': (bytes: Buffer) => standard.verify(bytes, standardHeaders),
    },
  };
}

/** Ensures that a candidate accepts the valid body and refuses one with a changed byte. */
function checked<Name extends string>(given: {
  readonly body: Buffer;
  readonly run: Readonly<Record<Name, (body: Buffer) => unknown>>;
}): Record<Name, () => unknown> {
  const changed = Buffer.from(given.body);
  changed.writeUInt8(changed.readUInt8(changed.length - 20) ^ 1, changed.length - 20);
  const ready = {} as Record<Name, () => unknown>;
  for (const name of Object.keys(given.run) as Name[]) {
    const run = given.run[name];
    run(given.body);
    if (accepts(() => run(changed))) throw new Error(`${name} accepts a changed body`);
    ready[name] = () => run(given.body);
  }
  return ready;
}

function accepts(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

function rate(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en');
}
