import { createHmac } from 'node:crypto';

import { createReceiver } from '@hookproof/receiver';
import type { Problem } from '@hookproof/receiver';
import { explainDelivery } from '@hookproof/receiver/explain';
import type { KnownSender, Mistake } from '@hookproof/receiver/explain';
import { memoryStore } from '@hookproof/receiver/memory';
import { describe, expect, onTestFinished, test } from 'vitest';

import { GITHUB, STANDARD, STRIPE } from './senders.ts';
import type { Headers, Sender } from './senders.ts';

const NOW = Date.UTC(2026, 6, 1, 12);
const TIME = NOW / 1000;

const NAMES = new Map<Sender, KnownSender>([
  [STRIPE, 'stripe'],
  [GITHUB, 'github'],
  [STANDARD, 'standard-webhooks'],
]);

function explain(
  sender: Sender,
  headers: Headers,
  rawBody: Uint8Array = sender.rawBody,
  secrets: string = sender.secret,
): Mistake {
  const name = NAMES.get(sender) ?? 'platform';
  const mistake = explainDelivery({ headers, rawBody }, { sender: name, secrets, now: () => NOW });
  const shown = JSON.stringify(mistake);
  expect(shown).not.toContain(sender.secret.slice(8));
  expect(shown).not.toContain('octo');
  return mistake;
}

const digestOf = (key: string | Uint8Array, ...message: readonly (string | Uint8Array)[]) => {
  const mac = createHmac('sha256', key);
  for (const part of message) mac.update(part);
  return mac;
};

const ofStripe = (key: string | Uint8Array, signed: string, at: number = TIME): Headers => ({
  'stripe-signature': `t=${at},v1=${digestOf(key, signed).digest('hex')}`,
});
const ofGitHub = (key: string | Uint8Array, signed: string): Headers => ({
  'x-github-delivery': '1',
  'x-github-event': 'push',
  'x-hub-signature-256': `sha256=${digestOf(key, signed).digest('hex')}`,
});
const ofStandard = (key: string | Uint8Array, signed: string): Headers => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(TIME),
  'webhook-signature': `v1,${digestOf(key, signed).digest('base64')}`,
});

const SENDERS = [STRIPE, GITHUB, STANDARD];

test.each(SENDERS)(
  '$name: what it signs is valid, and a day later the clock is off',
  async (sender) => {
    const day = 86_400_000;
    const { sign, rawBody } = sender;
    const causes = [await sign(rawBody, NOW), await sign(rawBody, NOW - day)].map(
      (headers) => explain(sender, headers).cause,
    );
    expect(causes).toEqual(['valid', sender === GITHUB ? 'valid' : 'clock_off']);
  },
);

test.each(SENDERS)('$name: the other secret is named', async (sender) => {
  const headers = await sender.sign(sender.rawBody, NOW, sender.otherSecret);
  const { cause, evidence } = explainDelivery(
    { headers, rawBody: sender.rawBody },
    {
      sender: NAMES.get(sender) ?? 'platform',
      secrets: sender.secret,
      otherSecrets: { staging: sender.otherSecret },
      now: () => NOW,
    },
  );
  expect([cause, evidence]).toEqual([
    'other_secret',
    'The signature matches the secret of staging.',
  ]);
});

test.each(SENDERS)('$name: a body that was serialised again is named', async (sender) => {
  const again = Buffer.from(JSON.stringify(JSON.parse(sender.rawBody.toString()), null, 2));
  const headers = await sender.sign(sender.rawBody, NOW);
  expect(explain(sender, headers, again).cause).toBe('body_reserialized');
});

test.each(SENDERS)('$name: an authentic body that is no event is named', async (sender) => {
  const body = Buffer.from('not JSON');
  const headers = await sender.sign(body, NOW);
  expect(explain(sender, headers, body).cause).toBe('event_invalid');
});

const [stripeBody, githubBody, standardBody] = SENDERS.map(({ rawBody }) => rawBody.toString());

describe('the commonest mistakes', () => {
  test.each<[cause: string, headers: Headers]>([
    ['key_without_prefix', ofStripe(STRIPE.secret.slice(6), `${TIME}.${stripeBody}`)],
    ['secret_with_newline', ofStripe(`${STRIPE.secret}\n`, `${TIME}.${stripeBody}`)],
    ['message_is_body_alone', ofStripe(STRIPE.secret, stripeBody ?? '')],
    ['timestamp_in_milliseconds', ofStripe(STRIPE.secret, `${NOW}.${stripeBody}`, NOW)],
    ['headers_joined', { 'stripe-signature': 't=1,v1=00,t=2,v1=00' }],
    ['timestamp_not_unix_seconds', { 'stripe-signature': 'v1=00' }],
    ['signature_prefix_missing', { 'stripe-signature': `t=${TIME},v0=00` }],
    ['signature_malformed', { 'stripe-signature': `t=${TIME},v1=00` }],
    ['header_missing', {}],
    ['header_of_other_sender', ofGitHub('a', 'b')],
  ])('of Stripe: %s', (cause, headers) => {
    expect(explain(STRIPE, headers).cause).toBe(cause);
  });

  test('of Stripe: an API key in place of the signing secret', async () => {
    const headers = await STRIPE.sign(STRIPE.rawBody, NOW);
    const { cause, evidence, fix } = explain(STRIPE, headers, STRIPE.rawBody, 'sk_test_51Habc');
    expect(cause).toBe('secret_of_other_kind');
    expect(evidence).toBe('secrets[0] begins as an API key of Stripe does.');
    expect(fix).toContain('stripe listen prints its own');
  });

  test.each<[cause: string, headers: Headers]>([
    ['key_from_base64', ofGitHub(Buffer.from(GITHUB.secret, 'base64'), githubBody ?? '')],
    ['secret_with_quotes', ofGitHub(`"${GITHUB.secret}"`, githubBody ?? '')],
    ['header_missing', { 'x-github-delivery': '1', 'x-github-event': 'push' }],
    ['header_of_other_sender', { 'x-hub-signature': 'sha1=00' }],
    ['signature_malformed', { ...ofGitHub('a', 'b'), 'x-hub-signature-256': 'sha1=00' }],
    [
      'body_form_encoded',
      { ...ofGitHub('a', 'b'), 'content-type': 'application/x-www-form-urlencoded' },
    ],
    [
      'body_form_encoded',
      ofGitHub(GITHUB.secret, new URLSearchParams({ payload: githubBody ?? '' }).toString()),
    ],
  ])('of GitHub: %s', (cause, headers) => {
    expect(explain(GITHUB, headers).cause).toBe(cause);
  });

  const message = `msg_1.${TIME}.${standardBody}`;
  test.each<[cause: string, headers: Headers]>([
    ['key_from_utf8', ofStandard(STANDARD.secret, message)],
    ['key_without_prefix', ofStandard(STANDARD.secret.slice(6), message)],
    [
      'message_without_id',
      ofStandard(Buffer.from(STANDARD.secret.slice(6), 'base64'), `${TIME}.${standardBody}`),
    ],
    ['signature_in_hex', { ...ofStandard('a', 'b'), 'webhook-signature': `v1,${'0'.repeat(64)}` }],
    ['signature_prefix_missing', { ...ofStandard('a', 'b'), 'webhook-signature': 'v1a,x' }],
    ['timestamp_in_milliseconds', { ...ofStandard('a', 'b'), 'webhook-timestamp': String(NOW) }],
    ['header_of_other_sender', { 'svix-id': 'msg_1', 'svix-signature': 'v1,x' }],
  ])('of Standard Webhooks: %s', (cause, headers) => {
    expect(explain(STANDARD, headers).cause).toBe(cause);
  });
});

test('several signatures of Stripe and Standard Webhooks are no mistake', async () => {
  for (const sender of [STRIPE, STANDARD]) {
    const [good, other] = await Promise.all([
      sender.sign(sender.rawBody, NOW),
      sender.sign(sender.rawBody, NOW, sender.otherSecret),
    ]);
    const [right = '', wrong = ''] = [good[sender.signature], other[sender.signature]];
    const both =
      sender === STRIPE ? `${right},${wrong.slice(wrong.indexOf('v1'))}` : `${wrong} ${right}`;
    expect(explain(sender, { ...good, [sender.signature]: both }).cause).toBe('valid');
  }
});

test('a receiver explains the refusals of each source, and never in the response', async () => {
  const problems: Problem[] = [];
  const receiver = createReceiver({
    store: memoryStore(),
    explainRefusals: true,
    onError: (problem) => problems.push(problem),
    sources: { pay: STRIPE.source(), code: GITHUB.source(), crm: STANDARD.source() },
  });
  onTestFinished(() => receiver.close());
  await receiver.start();
  for (const [name, { sign, rawBody }] of [
    ['pay', STRIPE],
    ['code', GITHUB],
    ['crm', STANDARD],
  ] as const) {
    const again = Buffer.from(JSON.stringify(JSON.parse(rawBody.toString()), null, 2));
    const headers = { 'content-type': 'application/json', ...(await sign(rawBody, Date.now())) };
    const response = await receiver.source(name).receive({ method: 'POST', headers, body: again });
    expect(response.body).toBe('{"code":"signature_mismatch"}');
  }
  const explained = () => problems.filter(({ code }) => code === 'delivery_explained');
  await expect.poll(() => explained().length).toBe(3);
  expect(explained().map(({ source, message }) => [source, message.split(':')[0]])).toEqual(
    expect.arrayContaining([
      ['pay', 'body_reserialized'],
      ['code', 'body_reserialized'],
      ['crm', 'body_reserialized'],
    ]),
  );
});
