import { join } from 'node:path';

import {
  createProcessor,
  createReceiver,
  platform,
  WebhookVerificationError,
} from '@hookproof/receiver';
import type { Source, SourceEvent } from '@hookproof/receiver';
import { github } from '@hookproof/receiver/github';
import { createInbox, deadLetterGroups } from '@hookproof/receiver/inbox';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { standardWebhooks } from '@hookproof/receiver/standard-webhooks';
import { stripe } from '@hookproof/receiver/stripe';
import { runTimeline, signEvent, virtualClock } from '@hookproof/receiver/testing';
import request from 'supertest';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { GITHUB, STRIPE } from './senders.ts';
import { invoice, startedSources } from './started-sources.ts';

describe('a receiver with several sources', () => {
  test('hands each event to the handlers of its source, once', async () => {
    const app = await startedSources();
    const [created] = runTimeline(['completed']);
    await app.deliver(...(created === undefined ? [] : [created, created]));
    const responses = [];
    for (const name of ['stripe', 'stripe', 'crm', 'crm', 'code', 'code'] as const) {
      responses.push((await app.send(name)).status);
    }
    expect(responses).toEqual([202, 200, 202, 200, 202, 200]);
    expect(app.handled).toEqual([
      'runs completed whev_exec_1_1',
      'stripe invoice.paid evt_1',
      'crm contact.created msg_1',
      'code pull_request.opened 72d3162e-cc78-11e3-81ab-4c9367dc0958',
    ]);
    expect(app.problems).toEqual([]);
  });

  test('hands over the data, the key, the time and the whole body', async () => {
    const events: SourceEvent[] = [];
    const app = await startedSources({ handle: (event) => void events.push(event) });
    await app.send('stripe');
    expect(events).toEqual([
      {
        source: 'stripe',
        id: 'evt_1',
        type: 'invoice.paid',
        key: 'in_1',
        createdAt: '2026-07-01T12:00:00.000Z',
        data: { object: { id: 'in_1' } },
        payload: JSON.parse(STRIPE.rawBody.toString()),
      },
    ]);
  });

  test('keeps ids apart by source', async () => {
    const app = await startedSources();
    const id = 'evt_1';
    await app.send('stripe', invoice(id));
    await app.send('crm', { type: 'a', data: 1 });
    const found = await app.receiver.inspect(id, 'stripe');
    expect(found).toMatchObject({ source: 'stripe', key: 'in_1', runId: null, edge: null });
    expect(await app.receiver.inspect(id, 'crm')).toBeNull();
    expect(await app.receiver.inspect(id)).toEqual(found);
  });

  test('reports a type without a handler once', async () => {
    const app = await startedSources();
    await app.send('stripe', invoice('evt_1', 'charge.failed'));
    await app.send('stripe', invoice('evt_2', 'charge.failed'));
    expect(app.problems.map(({ code, source }) => [code, source])).toEqual([
      ['event_unknown', 'stripe'],
    ]);
    expect(await app.receiver.stats()).toMatchObject({ open: 0, dead: 0 });
  });

  test('does not report the ping of GitHub', async () => {
    const app = await startedSources();
    const { status } = await app.send(
      'code',
      { zen: 'Keep it logically awesome.' },
      {
        'x-github-event': 'ping',
      },
    );
    expect([status, app.problems]).toEqual([202, []]);
  });

  test('keeps an authentic body that is no event as a dead letter', async () => {
    const app = await startedSources();
    const { status } = await app.send('stripe', Buffer.from('not JSON'));
    const { items } = await app.receiver.deadLetters({ source: 'stripe' });
    expect(status).toBe(202);
    expect(items).toMatchObject([{ reason: 'event_quarantined', source: 'stripe', key: null }]);
    expect(app.problems).toMatchObject([{ code: 'event_quarantined', source: 'stripe' }]);
  });

  test('makes a dead letter of data that the schema of its source refuses', async () => {
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => ({ issues: [{ message: 'a total is missing', path: ['total'] }] }),
      },
    } as const;
    const { crm } = { crm: standardWebhooks({ secrets: 'whsec_c2VjcmV0', schema }) };
    const checked: Source = { ...STRIPE.source(), schema: crm.schema ?? schema };
    const called: unknown[] = [];
    const receiver = createReceiver({
      store: memoryStore(),
      onError: () => {},
      sources: { pay: checked },
      handlers: { pay: { event: (event) => called.push(event) } },
    });
    await receiver.start();
    const { rawBody, sign } = STRIPE;
    const headers = { 'content-type': 'application/json', ...(await sign(rawBody, Date.now())) };
    await receiver.source('pay').receive({ method: 'POST', headers, body: rawBody });
    await receiver.idle();
    const { items } = await receiver.deadLetters();
    await receiver.close();
    expect(called).toEqual([]);
    expect(items).toMatchObject([
      { reason: 'event_quarantined', error: expect.stringContaining('total: a total is missing') },
    ]);
  });
});

/** Fails the first attempt of the first event. */
const failFirst = () => {
  let failed = false;
  return ({ id }: SourceEvent): void => {
    if (id !== 'evt_1' || failed) return;
    failed = true;
    throw new Error('not yet');
  };
};

describe('the events of one key', () => {
  test('hold up no other after a failure with the order none', async () => {
    const app = await startedSources({ handle: failFirst() });
    await app.send('stripe', invoice('evt_1'));
    await app.send('stripe', invoice('evt_2', 'invoice.voided'));
    await app.advance(1_000);
    expect(app.handled).toEqual(['stripe invoice.voided evt_2', 'stripe invoice.paid evt_1']);
  });

  test('wait for those before them with the order serial, and those of other keys do not', async () => {
    const app = await startedSources({ handle: failFirst(), order: 'serial' });
    await app.send('stripe', invoice('evt_1'));
    await app.send('stripe', invoice('evt_2', 'invoice.voided'));
    await app.send('stripe', invoice('evt_3', 'invoice.paid', 'in_2'));
    const { items } = await app.receiver.waiting({ source: 'stripe', key: 'in_1' });
    expect(items.map(({ id, why }) => [id, why])).toEqual([
      ['evt_1', 'retry'],
      ['evt_2', 'order'],
    ]);
    await app.advance(1_000);
    expect(app.handled).toEqual([
      'stripe invoice.paid evt_3',
      'stripe invoice.paid evt_1',
      'stripe invoice.voided evt_2',
    ]);
  });
});

describe('a pause', () => {
  test('of a source holds up its events alone', async () => {
    const app = await startedSources();
    await app.receiver.pause({ source: 'stripe' });
    await app.send('stripe');
    await app.send('crm');
    expect(app.handled).toEqual(['crm contact.created msg_1']);
    expect((await app.receiver.stats()).paused).toEqual(['stripe/*']);
    const { items } = await app.receiver.waiting();
    expect(items.map(({ why }) => why)).toEqual(['paused']);
    await app.receiver.resume({ source: 'stripe' });
    await app.receiver.idle();
    expect(app.handled).toHaveLength(2);
  });

  test('of a type of a source holds up that type alone', async () => {
    const app = await startedSources();
    await app.receiver.pause({ source: 'stripe', handler: 'invoice.paid' });
    await app.send('stripe', invoice('evt_1'));
    await app.send('stripe', invoice('evt_2', 'invoice.voided'));
    expect(app.handled).toEqual(['stripe invoice.voided evt_2']);
  });

  test('of an unknown source is refused', async () => {
    const app = await startedSources();
    await expect(app.receiver.pause({ source: 'strip' })).rejects.toThrow('Did you mean stripe?');
  });
});

const fail = (): Promise<never> => Promise.reject(new Error('down'));

/** A dead letter of Stripe, and one of the CRM with the same message and id. */
async function withDeadLetters() {
  const app = await startedSources({ handle: fail, retryForHours: 0 });
  await app.send('stripe', invoice('msg_1'));
  await app.advance(1);
  await app.send('crm');
  return app;
}

describe('the inbox', () => {
  test('groups dead letters by source, and changes those of one alone', async () => {
    const { receiver } = await withDeadLetters();
    const { groups } = await deadLetterGroups(receiver);
    expect(groups.map(({ source, handler, count }) => `${source} ${handler} ${count}`)).toEqual([
      'crm contact.created 1',
      'stripe invoice.paid 1',
    ]);
    expect(await receiver.discard({ source: 'crm', ids: ['msg_1'] })).toBe(1);
    const { items } = await receiver.deadLetters();
    expect(items.map(({ source, id, runId }) => [source, id, runId])).toEqual([
      ['stripe', 'msg_1', null],
    ]);
  });

  test('says which sources there are, and narrows to one', async () => {
    const { receiver } = await withDeadLetters();
    const inbox = createInbox(receiver, { authorize: () => true });
    const get = async (query: string): Promise<unknown> =>
      (await inbox(new Request(`https://app.example/hooks?${query}`))).json();
    expect(await get('read=stats')).toMatchObject({
      sources: ['runs', 'stripe', 'crm', 'code'],
      dead: 2,
    });
    expect(await get('read=dead&source=crm')).toMatchObject({
      items: [{ source: 'crm', type: 'contact.created' }],
    });
    expect(await get('read=count&source=stripe&handler=invoice.paid')).toEqual({ count: 1 });
  });

  test('of a process without these sources shows and changes all events of the store', async () => {
    const clock = virtualClock();
    const file = join(emptyFolder(), 'events.db');
    const app = createReceiver({
      store: sqliteStore({ file }),
      clock,
      retryForHours: 0,
      onError: () => {},
      sources: { runs: platform({ secrets: 'whsec_x' }), stripe: STRIPE.source() },
      handlers: {
        runs: { event: fail },
        stripe: { event: fail },
      },
    });
    await app.start();
    const [created] = runTimeline(['pending'], { run: { id: 'exec_7', automationId: 'wf_7' } });
    if (created === undefined) throw new Error('no event');
    const signed = signEvent(created, { secret: 'whsec_x', now: () => clock.now() });
    await app.source('runs').receive({ method: 'POST', ...signed });
    const signature = await STRIPE.sign(STRIPE.rawBody, clock.now());
    const headers = { 'content-type': 'application/json', ...signature };
    await app.source('stripe').receive({ method: 'POST', headers, body: STRIPE.rawBody });
    await app.idle();
    await app.close();

    const other = createProcessor({ store: sqliteStore({ file }), clock });
    await other.start({ work: false });
    onTestFinished(() => other.close());
    const { items } = await other.deadLetters();
    const shown = items.map(({ source, runId, key, handler }) => [source, runId, key, handler]);
    expect(shown).toEqual([
      ['stripe', null, 'in_1', 'invoice.paid'],
      ['runs', 'exec_7', 'exec_7', 'pending'],
    ]);
    expect((await other.inspect('evt_1'))?.source).toBe('stripe');
    expect((await other.timeline('exec_7'))?.status).toBe('pending');
    expect((await other.runs()).items).toEqual([]);
    expect((await other.runs({ source: 'runs' })).items).toMatchObject([{ runId: 'exec_7' }]);
    expect(await other.discard({ ids: ['evt_1'] })).toBe(1);
    expect(await other.redrive({ runId: 'exec_7' })).toBe(1);
  });
});

describe('what a sender does not send again', () => {
  test('is called lost in reports, and counts as refused', async () => {
    const problems: string[] = [];
    const receiver = createReceiver({
      store: memoryStore(),
      onError: ({ message }) => problems.push(message),
      sources: {
        code: github({ secrets: GITHUB.secret }),
        pay: stripe({ secrets: STRIPE.secret }),
      },
    });
    const { rawBody, sign } = GITHUB;
    const headers = { 'content-type': 'application/json', ...(await sign(rawBody, 0)) };
    const code = await receiver.source('code').receive({ method: 'POST', headers, body: rawBody });
    const signed = await STRIPE.sign(STRIPE.rawBody, Date.now(), STRIPE.otherSecret);
    await receiver.start();
    const pay = await receiver.source('pay').receive({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body: STRIPE.rawBody,
    });
    const { refused } = await receiver.stats();
    await receiver.close();
    expect([code.status, pay.status, refused]).toEqual([503, 401, 1]);
    expect(problems[0]).toContain('it is lost, because GitHub does not send it again');
    expect(problems[1]).toContain(
      'A delivery got 401 (signature_mismatch). Stripe sends it again.',
    );
  });

  test('is told when the receiver closes, and a sender that repeats is not', async () => {
    const app = await startedSources();
    await app.receiver.close();
    const statuses = [(await app.send('code')).status, (await app.send('stripe')).status];
    expect(statuses).toEqual([503, 503]);
    expect(app.problems).toMatchObject([
      {
        code: 'deliveries_refused',
        source: 'code',
        message: expect.stringContaining('(closing). That is final: GitHub does not send it again'),
      },
    ]);
    expect((await app.receiver.stats().catch(() => ({ refused: 1 }))).refused).toBe(1);
  });
});

/** Returns what becomes of a delivery to a source of one's own. */
async function received(changed: Partial<Source>): Promise<object> {
  const problems: string[] = [];
  const shop = {
    ...github({ secrets: 'a' }),
    sender: 'the shop',
    headers: ['x-shop'],
    ...changed,
  };
  const receiver = createReceiver({
    store: memoryStore(),
    sources: { shop },
    explainRefusals: 'explain' in changed,
    onError: ({ code, message }) => problems.push(`${code}: ${message}`),
  });
  await receiver.start();
  const headers = { 'content-type': 'application/json', 'x-shop': 'a' };
  const delivery = { method: 'POST', headers, body: Buffer.from('{}') };
  const { status, code } = await receiver.source('shop').receive(delivery);
  const { refused, dead } = await receiver.stats();
  await receiver.close();
  return { status, code, refused, dead, problems };
}

describe('a source of your own', () => {
  const EVENT = { id: '1', type: 'a', key: null, createdAt: null, timestamp: 1, secretIndex: 0 };
  test.each([
    [{ id: undefined as never }, 'id of an event of shop must be a text of 1 to 512 characters'],
    [{ timestamp: Date.now() }, 'timestamp of an event of shop must be whole seconds since'],
    [{ timestamp: Number.NaN }, 'timestamp of an event of shop must be whole seconds since'],
  ])(
    'that returns what no store can keep is not called a failure of the store',
    async (wrong, why) => {
      expect(await received({ verify: () => ({ ...EVENT, ...wrong, error: null }) })).toMatchObject(
        {
          code: 'receiver_failed',
          status: 500,
          problems: [expect.stringContaining(why)],
        },
      );
    },
  );

  test('that returns a time of the event in another form makes a dead letter of it', async () => {
    const event = { ...EVENT, createdAt: 5 as never, error: null };
    expect(await received({ verify: () => event })).toMatchObject({ status: 202, dead: 1 });
  });

  test('whose explanation throws refuses as without one', async () => {
    const wrong = new WebhookVerificationError('signature', 'signature_mismatch', 'No.');
    const source: Partial<Source> = {
      verify() {
        throw wrong;
      },
      explain() {
        throw new Error('no idea');
      },
    };
    expect(await received(source)).toMatchObject({
      status: 401,
      code: 'signature_mismatch',
      refused: 1,
    });
  });

  test('whose sender does not send again after a 425 has lost a stale delivery, and is told', async () => {
    const stale = new WebhookVerificationError('freshness', 'timestamp_too_old', 'Too old.');
    const verify = (): never => {
      throw stale;
    };
    const [repeats, final] = [
      await received({ verify, retries: () => true }),
      await received({ verify, retries: (status) => status >= 500 }),
    ];
    expect([repeats, final]).toMatchObject([
      { status: 425, refused: 0, problems: [expect.stringContaining('its sender retries')] },
      {
        status: 425,
        refused: 1,
        problems: [expect.stringContaining('it is lost, because the shop')],
      },
    ]);
  });
});

describe('a delivery to the path of another source', () => {
  test('is refused, and its report names the source whose headers it has', async () => {
    const app = await startedSources();
    const signed = await GITHUB.sign(GITHUB.rawBody, 0);
    const headers = { 'content-type': 'application/json', ...signed };
    const delivery = { method: 'POST', headers, body: GITHUB.rawBody };
    const { status } = await app.receiver.source('runs').receive(delivery);
    expect(status).toBe(401);
    expect(app.problems).toMatchObject([
      {
        code: 'deliveries_refused',
        source: 'runs',
        message: expect.stringContaining('a header of the source code. Set the URL at its sender'),
      },
    ]);
    expect((await app.receiver.stats()).refused).toBe(1);
  });

  test('is reported with every source that has its header', async () => {
    const app = await startedSources();
    for (const event of runTimeline(['completed'])) {
      const { headers, body } = signEvent(event, { secret: 'whsec_of_the_platform' });
      await app.receiver.source('stripe').receive({ method: 'POST', headers, body });
    }
    expect(app.problems).toMatchObject([
      {
        source: 'stripe',
        message: expect.stringContaining('it has webhook-id, a header of the source runs or crm.'),
      },
    ]);
  });

  test('is not reported without a header of any source', async () => {
    const app = await startedSources();
    const headers = { 'content-type': 'application/json' };
    const delivery = { method: 'POST', headers, body: GITHUB.rawBody };
    expect((await app.receiver.source('runs').receive(delivery)).status).toBe(401);
    expect(app.problems).toEqual([]);
  });
});

describe('GitHub', () => {
  test('with another content type gets 415, and the report names the setting', async () => {
    const app = await startedSources();
    const response = await app.send('code', GITHUB.rawBody, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(response.status).toBe(415);
    expect(app.problems).toMatchObject([
      {
        code: 'deliveries_refused',
        message: expect.stringContaining('Set the content type of the webhook to application/json'),
      },
    ]);
  });

  test('may send a body of 25 MB, and others may not', async () => {
    const app = await startedSources();
    const large = Buffer.from(JSON.stringify({ text: 'x'.repeat(24_000_000) }));
    const event = { 'x-github-event': 'ping' };
    expect((await app.send('code', large, event)).status).toBe(202);
    expect((await app.send('crm', large)).status).toBe(413);
  });
});

test('problems of handlers say their source, and no source uses up the rate of another', async () => {
  const app = await startedSources({ handle: fail, retryForHours: 0 });
  for (let number = 1; number <= 101; number += 1) {
    await app.send('stripe', invoice(`evt_${number}`));
  }
  await app.send('crm');
  const sources = app.problems.map(({ code, source }) => `${code} ${source}`);
  expect(sources).toHaveLength(101);
  expect(new Set(sources)).toEqual(
    new Set(['event_dead_lettered stripe', 'event_dead_lettered crm']),
  );
});

test('problems of the only source say its name too', async () => {
  const problems: unknown[] = [];
  const receiver = createReceiver({
    store: memoryStore(),
    retryForHours: 0,
    onError: ({ code, source }) => problems.push([code, source]),
    sources: { pay: STRIPE.source() },
    handlers: { pay: { event: fail } },
  });
  await receiver.start();
  const { rawBody, sign } = STRIPE;
  const headers = { 'content-type': 'application/json', ...(await sign(rawBody, Date.now())) };
  await receiver.source('pay').receive({ method: 'POST', headers, body: rawBody });
  await receiver.idle();
  await receiver.close();
  expect(problems).toEqual([['event_dead_lettered', 'pay']]);
});

test('adapters take one source, and report a 404 to its deliveries', async () => {
  const app = await startedSources();
  const handler = nodeHandler(app.receiver.source('stripe'), { path: '/hooks/stripe' });
  const signed = await STRIPE.sign(STRIPE.rawBody, app.clock.now());
  const body = STRIPE.rawBody.toString();
  const post = (path: string) =>
    request(handler)
      .post(path)
      .set({ 'content-type': 'application/json', ...signed })
      .send(body);
  expect((await post('/hooks/strip')).status).toBe(404);
  expect((await post('/hooks/stripe')).status).toBe(202);
  expect(app.problems).toMatchObject([{ code: 'path_unexpected', source: 'stripe' }]);
});

test('runs and timelines are those of the source with runs', async () => {
  const app = await startedSources();
  await app.deliver(...runTimeline(['pending', 'completed']));
  await app.send('stripe');
  const { items } = await app.receiver.runs();
  expect(items).toMatchObject([{ runId: 'exec_1', status: 'completed' }]);
  expect((await app.receiver.timeline('exec_1'))?.status).toBe('completed');
  expect(await app.receiver.timeline('in_1')).toBeNull();
});

test('events of a source that the receiver does not have wait, and are reported', async () => {
  const store = memoryStore();
  const problems: string[] = [];
  const handled: string[] = [];
  const options = { store, onError: ({ code }: { code: string }) => problems.push(code) };
  const { rawBody, sign } = STRIPE;
  const headers = { 'content-type': 'application/json', ...(await sign(rawBody, Date.now())) };
  const sources = { pay: stripe({ secrets: STRIPE.secret }) };
  const first = createReceiver({ ...options, sources });
  await first.start({ work: false });
  await first.source('pay').receive({ method: 'POST', headers, body: rawBody });
  // A memory store forgets nothing while it is open, so the second receiver takes a view of it.
  const second = createReceiver({
    ...options,
    store: { ...store, open: async () => {}, close: async () => {} },
    sources: { code: github({ secrets: GITHUB.secret }) },
    handlers: { code: { event: ({ id }) => void handled.push(id) } },
  });
  await second.start();
  await second.idle();
  expect([problems, handled]).toEqual([['source_unknown'], []]);
  await second.close();
  await first.close();
});

test('wrong options are refused by name', () => {
  const store = memoryStore();
  const code = github({ secrets: 'a' });
  const calls = [
    () => createReceiver({ store, sources: {} }),
    () => createReceiver({ store, sources: { 'a/b': code } }),
    () => createReceiver({ store, sources: { code: {} as Source } }),
    () => createReceiver({ store, sources: { code: { ...code, headers: [] } } }),
    () => createReceiver({ store, sources: { code: { ...code, headers: ['X-Hub'] } } }),
    () => createReceiver({ store, sources: { code: { ...code, retries: true as never } } }),
    () => createReceiver({ store, sources: { code: { ...code, order: 'walk' as never } } }),
    () => createReceiver({ store, sources: { code }, secrets: 'whsec_a' } as never),
    () => createReceiver({ store, sources: { code }, handlers: { cod: {} } as never }),
    () => createReceiver({ store, sources: { code }, handlers: { code: { push: 1 } } as never }),
    () => platform({ secrets: 'whsec_a', mode: 'orderd' as 'live' }),
    () => createReceiver({ store, sources: { code } }).source('cod' as 'code'),
    () =>
      createReceiver({ store, sources: { code } })
        .source('code')
        .on('push', undefined as never),
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
      "sources must be at least one source, got none.",
      "The name of a source must be 1 to 64 letters, digits, _ and -, got "a/b".",
      "sources.code must be a source, such as platform({ secrets }) or stripe({ secrets }), got object.",
      "sources.code.headers must be the names of at least one header, in lower case, got [].",
      "sources.code.headers must be the names of at least one header, in lower case, got ["X-Hub"].",
      "sources.code.retries must be a function, got boolean.",
      "sources.code.order must be 'none' or 'serial', got "walk".",
      "Unknown option "secrets". Expected one of store, sources, handlers, explainRefusals, onError, clock, maxConcurrentRuns, retryForHours, retryDelayMilliseconds, handlerTimeoutMilliseconds, leaseMilliseconds, closeTimeoutMilliseconds, pollMilliseconds, retentionDays, keepBodiesDays, bodyLimitBytes, maxBufferedBytes.",
      "Unknown option "cod". Did you mean code?",
      "handlers.code.push must be a function, got number.",
      "mode must be 'live' or 'ordered', got "orderd".",
      "Unknown source "cod". Did you mean code?",
      "handler must be a function, got undefined. Call on("push", (event, context) => …).",
    ]
  `);
});

test('handlers are typed by their source', () => {
  type Invoice = { readonly type: 'invoice.paid'; readonly data: { readonly total: number } };
  type Charge = { readonly type: 'charge.failed'; readonly data: { readonly code: string } };
  const create = () =>
    createReceiver({
      store: memoryStore(),
      sources: {
        pay: stripe<Invoice | Charge>({ secrets: 'whsec_a' }),
        runs: platform({ secrets: 'whsec_b' }),
      },
      handlers: {
        pay: { 'invoice.paid': ({ data }) => expectTypeOf(data.total).toBeNumber() },
        runs: {
          completed: ({ data }) => expectTypeOf(data.run.status).toEqualTypeOf<'completed'>(),
        },
      },
    });
  expect(create).toBeTypeOf('function');
  // @ts-expect-error -- no event of this type
  const wrong: Parameters<ReturnType<ReturnType<typeof create>['source']>['on']>[0] = 'charge';
  expect(wrong).toBe('charge');
});
