import { platform } from '@hookproof/receiver';
import { github } from '@hookproof/receiver/github';
import { standardWebhooks } from '@hookproof/receiver/standard-webhooks';
import { stripe } from '@hookproof/receiver/stripe';
import {
  githubSigner,
  platformSigner,
  runTimeline,
  standardWebhooksSigner,
  stripeSigner,
  testReceiver,
  testSender,
} from '@hookproof/receiver/testing';
import type { StripeTestEvent } from '@hookproof/receiver/testing';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';

import { SECRETS } from './programs/secrets.ts';
import { GITHUB, STANDARD, STRIPE } from './senders.ts';
import type { Sender } from './senders.ts';

const PAID: StripeTestEvent = {
  id: 'evt_1',
  type: 'invoice.paid',
  data: { object: { id: 'in_1', note: 'ä' } },
};
const OPENED = { id: 'd-1', event: 'pull_request', payload: { action: 'opened' } };
const CREATED = { id: 'msg_1', payload: { type: 'contact.created', data: { id: 7 } } };

test.each([
  ['stripe', STRIPE, stripeSigner({ secret: SECRETS.stripe }).sign(PAID, Date.now())],
  ['github', GITHUB, githubSigner({ secret: SECRETS.code }).sign(OPENED, Date.now())],
  [
    'standard webhooks',
    STANDARD,
    standardWebhooksSigner({ secret: SECRETS.crm }).sign(CREATED, Date.now()),
  ],
] as const)(
  'the library of the sender accepts what is signed for %s',
  async (_, sender, signed) => {
    const { headers, body } = signed;
    const { verify }: Sender = sender;
    await expect(verify(headers, Buffer.from(body))).resolves.not.toThrow();
  },
);

/** A receiver with four sources, whose handlers record what they get. */
async function started(fail: (id: string) => boolean = () => false) {
  const handled: string[] = [];
  const handle = ({ source, type, id }: { source: string; type: string; id: string }): void => {
    if (fail(id)) throw new Error('down');
    handled.push(`${source} ${type} ${id}`);
  };
  const app = await testReceiver({
    retryForHours: 0,
    sources: {
      runs: platform({ secrets: SECRETS.runs, mode: 'ordered' }),
      pay: stripe({ secrets: SECRETS.stripe }),
      code: github({ secrets: SECRETS.code }),
      crm: standardWebhooks({ secrets: SECRETS.crm }),
    },
    signers: {
      runs: platformSigner({ secret: SECRETS.runs }),
      pay: stripeSigner({ secret: SECRETS.stripe }),
      code: githubSigner({ secret: SECRETS.code }),
      crm: standardWebhooksSigner({ secret: SECRETS.crm }),
    },
    handlers: {
      runs: { completed: ({ data }) => void handled.push(`runs completed ${data.run.id}`) },
      pay: { event: handle },
      code: { event: handle },
      crm: { event: handle },
    },
  });
  onTestFinished(() => app.close());
  return { app, handled };
}

describe('testReceiver with sources', () => {
  test('signs for each, and hands copies over once', async () => {
    const { app, handled } = await started();
    await app.deliver('runs', runTimeline(['pending', 'completed']).toReversed());
    await app.deliver('pay', [PAID], { copies: 2 });
    await app.deliver('code', [OPENED], { copies: 2 });
    await app.deliver('crm', [CREATED], { copies: 2 });
    expect(handled).toEqual([
      'runs completed exec_1',
      'pay invoice.paid evt_1',
      'code pull_request.opened d-1',
      'crm contact.created msg_1',
    ]);
    expect(app.problems).toEqual([]);
  });

  test('reports a type without a handler, and keeps what fails as a dead letter', async () => {
    const { app } = await started((id) => id === 'evt_1');
    await app.deliver('pay', [PAID]);
    expect(await app.deadLetters()).toMatchObject([{ source: 'pay', id: 'evt_1' }]);
    expect(app.problems).toMatchObject([{ code: 'event_dead_lettered', source: 'pay' }]);
  });

  test('types the events of each source', async () => {
    const { app } = await started();
    expectTypeOf<typeof app.deliver<'pay'>>()
      .parameter(1)
      .toEqualTypeOf<readonly StripeTestEvent[]>();
    // @ts-expect-error -- an event of Stripe is no delivery of GitHub
    await expect(app.deliver('code', [PAID])).rejects.toThrow();
    // @ts-expect-error -- there is no such source
    await expect(app.deliver('cod', [])).rejects.toThrow('Did you mean code?');
  });
});

describe('testSender with a signer', () => {
  test('repeats as its sender does: Stripe after any refusal, GitHub never', async () => {
    const { app } = await started();
    const secret = SECRETS.stripe;
    const { clock } = app;
    const pay = testSender({
      receiver: app.receiver.source('pay'),
      signer: stripeSigner({ secret }),
      clock,
    });
    const wrong = { firstAttempt: { secret: 'whsec_other' } };
    const [repeated] = await pay.send([PAID], wrong);
    const stale = { firstAttempt: { timestampOffsetSeconds: -301 } };
    const [old] = await pay.send([{ ...PAID, id: 'evt_2' }], stale);
    const code = testSender({
      receiver: app.receiver.source('code'),
      signer: githubSigner({ secret: SECRETS.code }),
      clock,
    });
    const [lost] = await code.send([OPENED], wrong);
    const short = [repeated, old, lost].map((sent) => [
      sent?.eventId,
      sent?.outcome,
      sent?.attempts.map(({ status }) => status),
    ]);
    expect(short).toEqual([
      ['evt_1', 'delivered', [401, 202]],
      ['evt_2', 'delivered', [425, 202]],
      ['d-1', 'refused', [401]],
    ]);
  });

  test('refuses wrong options by name', () => {
    const receiver = { receive: () => Promise.reject(new Error('never')) };
    const signer = githubSigner({ secret: 'a' });
    expect(() => stripeSigner({ secret: 'sk_test_1' })).toThrow(
      /^secrets of stripe\(\) must be whsec_…/,
    );
    expect(() => testSender({ receiver, signer, secret: 'a' } as never)).toThrow(
      /^Unknown option "secret"/,
    );
    expect(() => testSender({ receiver, signer: 'stripe' } as never)).toThrow(
      'signer must be a signer, such as stripeSigner({ secret }).',
    );
  });
});
