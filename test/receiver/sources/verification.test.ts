import { WebhookVerificationError } from '@hookproof/receiver';
import type { Source } from '@hookproof/receiver';
import { github } from '@hookproof/receiver/github';
import { standardWebhooks } from '@hookproof/receiver/standard-webhooks';
import { stripe } from '@hookproof/receiver/stripe';
import { checkSource } from '@hookproof/receiver/testing';
import { describe, expect, test } from 'vitest';

import { GITHUB, SENDERS, STANDARD, STRIPE } from './senders.ts';
import type { Headers, Sender } from './senders.ts';

const verified = async (source: Source, headers: Headers, rawBody: Uint8Array, now: number) =>
  source.verify(headers, rawBody, now);

const codeOf = async (judged: Promise<unknown>): Promise<string> => {
  try {
    await judged;
    return 'accepted';
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
};

describe.each(SENDERS)('$name', (sender) => {
  const { source, rawBody, sign, otherSecret } = sender;
  const isSigned = sender !== GITHUB;

  test('what its library signs keeps the rules of a source', async () => {
    await checkSource({
      source: source(),
      rawBody,
      sign,
      signWithOther: (bytes, at) => sign(bytes, at, otherSecret),
      signsTime: isSigned,
      unsignedHeaders: isSigned ? [] : ['x-github-delivery', 'x-github-event'],
    });
  });
});

test('events have the id, type, key and time of their senders', async () => {
  const now = Date.UTC(2026, 6, 1, 12);
  const events = [];
  for (const { source, sign, rawBody } of SENDERS) {
    const { id, type, key, createdAt } = await verified(
      source(),
      await sign(rawBody, now),
      rawBody,
      now,
    );
    events.push([id, type, key, createdAt]);
  }
  expect(events).toEqual([
    ['msg_1', 'contact.created', null, '2026-07-01T12:00:00Z'],
    ['evt_1', 'invoice.paid', 'in_1', '2026-07-01T12:00:00.000Z'],
    ['72d3162e-cc78-11e3-81ab-4c9367dc0958', 'pull_request.opened', 'octo/cat#12', null],
  ]);
});

test('handlers get data of Stripe and Standard Webhooks, and the payload of GitHub', () => {
  const data = SENDERS.map(({ source, rawBody }) => source().data(JSON.parse(rawBody.toString())));
  expect(data).toEqual([
    { id: 7 },
    { object: { id: 'in_1' } },
    JSON.parse(GITHUB.rawBody.toString()),
  ]);
});

test('the published vector of Standard Webhooks is accepted', async () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const body = Buffer.from('{"test": 2432232314}');
  const event = await verified(STANDARD.source(), headers, body, 1_614_265_330_000);
  expect(event).toMatchObject({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', type: 'event', error: null });
});

test('the published vector of GitHub is accepted', async () => {
  const headers = {
    'x-github-delivery': '1',
    'x-github-event': 'push',
    'x-hub-signature-256':
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  };
  const event = await verified(GITHUB.source(), headers, Buffer.from('Hello, World!'), 0);
  expect(event.error).toMatch(/^body_not_json/);
});

/** A delivery that nobody should accept, made of a good one. */
interface Attack {
  readonly name: string;
  readonly of: readonly Sender[];
  readonly make: (headers: Headers, rawBody: Buffer, sender: Sender) => Promise<[Headers, Buffer]>;
}

const changed =
  (change: (text: string) => string): Attack['make'] =>
  async (headers, rawBody, { signature }) => [
    { ...headers, [signature]: change(headers[signature] ?? '') },
    rawBody,
  ];

const minutesOff =
  (minutes: number): Attack['make'] =>
  async (_headers, rawBody, { sign }) => [
    await sign(rawBody, Date.now() + minutes * 60_000),
    rawBody,
  ];

const SIGNS_TIME = [STANDARD, STRIPE];

const ATTACKS: readonly Attack[] = [
  {
    name: 'tampered body',
    of: SENDERS,
    make: async (headers, rawBody) => [headers, Buffer.from(`${rawBody.toString()} `)],
  },
  {
    name: 'body in other bytes of the same text',
    of: SENDERS,
    async make(_headers, _rawBody, { sign }) {
      const signed = Buffer.from('{"id":"evt_1","type":"a","name":"\u{fffd}"}');
      const sent = Buffer.from(
        signed.toString('latin1').replace('\u{ef}\u{bf}\u{bd}', '\u{ff}'),
        'latin1',
      );
      return [await sign(signed, Date.now()), sent];
    },
  },
  {
    name: 'other secret',
    of: SENDERS,
    make: async (_headers, rawBody, { sign, otherSecret }) => [
      await sign(rawBody, Date.now(), otherSecret),
      rawBody,
    ],
  },
  { name: 'ten minutes old', of: SIGNS_TIME, make: minutesOff(-10) },
  { name: 'ten minutes ahead', of: SIGNS_TIME, make: minutesOff(10) },
  {
    name: 'timestamp with trailing text',
    of: SIGNS_TIME,
    make: async (headers, rawBody, { signature }) => [
      signature === 'stripe-signature'
        ? { [signature]: (headers[signature] ?? '').replace(',', 'x,') }
        : { ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}x` },
      rawBody,
    ],
  },
  {
    name: 'second timestamp before the signed one',
    of: [STRIPE],
    make: changed((text) => `t=1,${text}`),
  },
  { name: 'digest cut', of: SENDERS, make: changed((text) => text.slice(0, -2)) },
  { name: 'digest with more behind it', of: SENDERS, make: changed((text) => `${text}0`) },
  { name: 'part behind the digest', of: SENDERS, make: changed((text) => `${text},x`) },
  { name: 'part behind the digest with =', of: SENDERS, make: changed((text) => `${text}=x`) },
  {
    name: 'other version of signature',
    of: SIGNS_TIME,
    make: changed((text) => text.replace('v1', 'v2')),
  },
  {
    name: 'digest without its prefix',
    of: SENDERS,
    make: changed((text) => text.replace(/^.*?[=,]/, '')),
  },
  { name: 'digest in capitals', of: [STRIPE, GITHUB], make: changed((text) => text.toUpperCase()) },
  {
    name: 'header joined with another one',
    of: SENDERS,
    make: changed((text) => `${text}, ${text}`),
  },
  ...SENDERS.flatMap((sender) =>
    sender.source().headers.map((name): Attack => ({
      name: `no ${name}`,
      of: [sender],
      async make({ [name]: _left, ...headers }, rawBody) {
        return [headers, rawBody];
      },
    })),
  ),
];

test('ours refuses every attack, also those that the library of the sender accepts', async () => {
  const theirs: string[] = [];
  for (const { name, of, make } of ATTACKS) {
    for (const sender of of) {
      const good = await sender.sign(sender.rawBody, Date.now());
      const [headers, rawBody] = await make(good, sender.rawBody, sender);
      const ours = await codeOf(verified(sender.source(), headers, rawBody, Date.now()));
      expect(`${sender.name}, ${name}: ${ours}`).not.toMatch(/accepted$/);
      const isAccepted = await sender.verify(headers, rawBody).then(
        () => true,
        () => false,
      );
      if (isAccepted) theirs.push(`${sender.name}: ${name}`);
    }
  }
  expect(theirs).toMatchInlineSnapshot(`
    [
      "Standard Webhooks: body in other bytes of the same text",
      "Stripe: body in other bytes of the same text",
      "GitHub: body in other bytes of the same text",
      "Stripe: ten minutes ahead",
      "Standard Webhooks: timestamp with trailing text",
      "Stripe: timestamp with trailing text",
      "Stripe: second timestamp before the signed one",
      "Standard Webhooks: part behind the digest",
      "Stripe: part behind the digest",
      "Stripe: part behind the digest with =",
      "Standard Webhooks: header joined with another one",
      "Stripe: header joined with another one",
      "GitHub: no x-github-delivery",
      "GitHub: no x-github-event",
    ]
  `);
});

test('one of several signatures is enough, and those of other schemes are left out', async () => {
  const now = Date.now();
  const codes = [];
  const judge = async ({ source, rawBody }: Sender, headers: Headers) =>
    codeOf(verified(source(), headers, rawBody, now));
  for (const sender of SIGNS_TIME) {
    const [good, other] = await Promise.all([
      sender.sign(sender.rawBody, now),
      sender.sign(sender.rawBody, now, sender.otherSecret),
    ]);
    const [right = '', wrong = ''] = [good[sender.signature], other[sender.signature]];
    const wrongPart = sender === STRIPE ? wrong.slice(wrong.indexOf('v1')) : wrong;
    const [first, last] = sender === STRIPE ? right.split(/,(?=v1)/) : ['', right];
    const join = sender === STRIPE ? ',' : ' ';
    const withAll = (...parts: readonly (string | undefined)[]): Headers => ({
      ...good,
      [sender.signature]: parts.filter((part) => part !== '').join(join),
    });
    const unknown = sender === STRIPE ? 'v0=anything' : 'v1a,anything';
    codes.push(
      await judge(sender, withAll(first, wrongPart, last)),
      await judge(sender, withAll(first, last, wrongPart, unknown)),
      await judge(sender, withAll(first, wrongPart, wrongPart)),
    );
  }
  const ofOne = ['accepted', 'accepted', 'signature_mismatch'];
  expect(codes).toEqual([...ofOne, ...ofOne]);
});

test('several secrets are accepted during a rotation', async () => {
  const now = Date.now();
  const pairs = SENDERS.map((sender) => [sender.otherSecret, sender.secret] as const);
  const [crm = [], pay = [], code = []] = pairs;
  const sources = [
    standardWebhooks({ secrets: crm }),
    stripe({ secrets: pay }),
    github({ secrets: code }),
  ];
  const indexes = [];
  for (const [index, { sign, rawBody }] of SENDERS.entries()) {
    const source = sources[index];
    if (source === undefined) continue;
    const { secretIndex } = await verified(source, await sign(rawBody, now), rawBody, now);
    indexes.push(secretIndex);
  }
  expect(indexes).toEqual([1, 1, 1]);
});

test('options of another form are refused by name', () => {
  const secrets = STRIPE.secret;
  const calls = [
    () => standardWebhooks({ secrets: 'whsec_no base64!' }),
    () => standardWebhooks({ secrets: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
    () => stripe({ secrets: 'sk_live_key' }),
    () => stripe({ secrets, toleranceSeconds: -1 }),
    () => stripe({ secrets, order: 'walk' as 'none' }),
    () => github({ secrets: '' }),
    () => github({ secrets: ' with a space' }),
    () => github({ secrets, bodyLimitBytes: 0 }),
    () => github({ secrets, toleranceSeconds: 300 } as never),
  ];
  const messages = calls.map((call) => {
    try {
      return call();
    } catch (error) {
      return error instanceof TypeError ? error.message : error;
    }
  });
  expect(messages).toMatchInlineSnapshot(`
    [
      "secrets of standardWebhooks() must be whsec_ and base64, got other characters.",
      "secrets of standardWebhooks() must be whsec_… without whitespace around it, got a string without whsec_. Check its environment variable.",
      "secrets of stripe() must be whsec_… without whitespace around it, got a string without whsec_. Check its environment variable.",
      "toleranceSeconds must be a non-negative integer, got -1.",
      "order must be 'none' or 'serial', got "walk".",
      "secrets of github() must be a text without whitespace around it, got an empty string. Check its environment variable.",
      "secrets of github() must be a text without whitespace around it, got a string with whitespace around it. Check its environment variable.",
      "bodyLimitBytes must be a positive integer, got 0.",
      "Unknown option "toleranceSeconds". Expected one of secrets, key, order, bodyLimitBytes.",
    ]
  `);
});

test('what checkSource reports of a source that verifies nothing', async () => {
  const source: Source = {
    ...STRIPE.source(),
    verify: () => {
      const [id, type, key, createdAt, timestamp, secretIndex] = ['1', 'a', null, null, 0, 0];
      return { id, type, key, createdAt, timestamp, secretIndex, error: null };
    },
  };
  const { rawBody, sign, otherSecret } = STRIPE;
  const signWithOther: Sender['sign'] = (bytes, at) => sign(bytes, at, otherSecret);
  const checking = checkSource({ source, rawBody, sign, signWithOther });
  await expect(checking).rejects.toThrow(
    /timestamp must be 1782907200, in seconds since the epoch, got 0[^]*another secret.*but accepted it[^]*a day too old/,
  );
});

test('what checkSource reports of a source that takes any JSON for an event', async () => {
  const ours = STRIPE.source();
  const source: Source = {
    ...ours,
    async verify(headers, rawBody, now) {
      const event = await ours.verify(headers, rawBody, now);
      if (rawBody.toString() === 'not an event') return event;
      const { id, type } = Object(JSON.parse(rawBody.toString()));
      return { ...event, id, type, error: null };
    },
  };
  const { rawBody, sign, otherSecret } = STRIPE;
  const signWithOther: Sender['sign'] = (bytes, at) => sign(bytes, at, otherSecret);
  const checking = checkSource({ source, rawBody, sign, signWithOther });
  await expect(checking).rejects.toThrow(
    /^Source of Stripe: The signed bytes \{\} must have an id, and an error if they are no event, got /,
  );
});
