import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';

import { createReceiver } from '@hookproof/receiver';
import { createInbox, nodeInbox } from '@hookproof/receiver/inbox';
import type { Inbox, InboxOptions } from '@hookproof/receiver/inbox';
import { memoryStore } from '@hookproof/receiver/memory';
import { runTimeline, sign } from '@hookproof/receiver/testing';
import express from 'express';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';

import { listeningPort } from '../../listening-port.ts';
import { SECRET, startedReceiver } from '../started-receiver.ts';
import { untyped } from '../verify-delivery.ts';
import { receiverWithDeadLetters } from './receiver-with-dead-letters.ts';

const URL_OF_PAGE = 'https://app.example/admin/hooks';

/** Loads the page, and returns what it sends with a change: its token and its cookie. */
async function ownHeaders(inbox: Inbox): Promise<Record<string, string>> {
  const page = await inbox(new Request(URL_OF_PAGE));
  const token = /data-token="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { 'x-hookproof-inbox': token, cookie, 'content-type': 'application/json' };
}

/** An inbox with two dead letters, of the runs `exec_1` and `exec_2`. */
async function opened(
  authorize: InboxOptions['authorize'] = () => true,
  options: Partial<InboxOptions> = {},
) {
  const started = await receiverWithDeadLetters('live');
  const inbox = createInbox(started.receiver, { authorize, ...options });
  const get = async (query: string) => inbox(new Request(`${URL_OF_PAGE}${query}`));
  const own = await ownHeaders(inbox);
  const post = (body: unknown, headers: Record<string, string> = own) =>
    inbox(new Request(URL_OF_PAGE, { method: 'POST', headers, body: JSON.stringify(body) }));
  return { ...started, inbox, get, post, own };
}

describe('an inbox', () => {
  it('does not start without authorize, and only with a receiver', () => {
    const receiver = createReceiver({ secrets: 'whsec_x', store: memoryStore() });
    expect(() => createInbox(receiver, untyped({}))).toThrow(/authorize must be a function/);
    expect(() => createInbox(untyped({}), { authorize: () => true })).toThrow(/source must be/);
    const wrong = untyped({ authorize: () => true, showPayloads: 'yes' });
    expect(() => createInbox(receiver, wrong)).toThrow(/showPayloads must be true or false/);
  });

  it('asks authorize for everything, with the request of the framework', async () => {
    const { get, post } = await opened(async () => false);
    for (const query of ['', '?file=script', '?read=stats']) {
      expect((await get(query)).status).toBe(403);
    }
    expect((await post({ change: 'pause' })).status).toBe(403);
    const login = await opened(() => new Response(null, { status: 401 }));
    expect((await login.get('')).status).toBe(401);
    const seen: unknown[] = [];
    const { inbox } = await opened((_request, incoming) => seen.push(incoming) > 0);
    await inbox(new Request(URL_OF_PAGE), 'the request of the framework');
    expect(seen.at(-1)).toBe('the request of the framework');
  });

  it.each([
    ['an object', { ok: false }],
    ['a text', 'yes'],
    ['a number', 1],
    ['nothing', undefined],
    ['null', null],
  ])('refuses %s from authorize, and reports it', async (_, answer) => {
    const { get, post, receiver, problems } = await opened(untyped(() => answer));
    expect([(await get('')).status, (await get('?read=stats')).status]).toEqual([403, 403]);
    expect((await post({ change: 'pause' })).status).toBe(403);
    expect((await receiver.stats()).paused).toEqual([]);
    const got = answer === null ? 'null' : typeof answer;
    expect(problems.filter(({ code }) => code === 'inbox_failed')).toMatchObject([
      { message: expect.stringContaining(`must return true, false or a Response, got ${got}.`) },
    ]);
  });

  it('reports what authorize throws, and responds with 500 without it', async () => {
    const cause = new Error('the session store is down');
    const { receiver, problems } = await startedReceiver();
    const inbox = createInbox(receiver, {
      authorize: () => {
        throw cause;
      },
    });
    const response = await supertest(createServer(nodeInbox(inbox))).get('/admin/hooks');
    expect([response.status, response.body]).toEqual([500, { code: 'inbox_failed' }]);
    expect(problems.at(-1)).toMatchObject({ code: 'inbox_failed', cause });
  });

  it('forbids the page everything but its own files', async () => {
    const { get } = await opened();
    const page = await get('');
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(await page.text()).not.toMatch(/<style|<script>|https?:/);
    expect((await get('?file=script')).headers.get('content-type')).toMatch(/javascript/);
    for (const file of ['other', 'constructor', '__proto__']) {
      expect((await get(`?file=${file}`)).status).toBe(404);
    }
  });

  it.each([
    ['without its token', () => ({ 'x-hookproof-inbox': '' })],
    ['with a token of its own', () => ({ 'x-hookproof-inbox': crypto.randomUUID() })],
    ['without its cookie', () => ({ cookie: 'session=1' })],
    [
      'with an empty token and cookie',
      () => ({ 'x-hookproof-inbox': '', cookie: 'hookproof-inbox=' }),
    ],
    ['from another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['from another origin of the site', () => ({ 'sec-fetch-site': 'same-site' })],
  ])('refuses a change %s', async (_, changed) => {
    const { post, receiver, own } = await opened();
    for (const change of ['discard', 'redrive', 'pause']) {
      const response = await post({ change, filter: {} }, { ...own, ...changed() });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'not_from_page' });
    }
    expect(await receiver.stats()).toMatchObject({ dead: 2, paused: [] });
  });

  it('keeps the token of a browser in a cookie that scripts and other sites do not get', async () => {
    const { inbox, own } = await opened();
    const first = await inbox(new Request(URL_OF_PAGE));
    expect(first.headers.get('set-cookie')).toMatch(
      /^hookproof-inbox=[\da-f-]{36}; HttpOnly; SameSite=Strict; Secure$/,
    );
    const cookie = `theme=dark; ${own['cookie']}`;
    const again = await inbox(new Request(URL_OF_PAGE, { headers: { cookie } }));
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(await again.text()).toContain(own['x-hookproof-inbox']);
  });

  it('accepts the token of a page that another process served', async () => {
    const [one, other] = [await opened(), await opened()];
    expect((await other.post({ change: 'pause' }, one.own)).status).toBe(200);
  });

  it('has no byte of a payload in any response, unless it shows payloads', async () => {
    const { get, receiver } = await opened();
    const [letter] = (await receiver.deadLetters()).items;
    const id = letter?.id ?? '';
    const queries = [
      '',
      '?file=script',
      '?read=stats',
      '?read=waiting',
      '?read=dead',
      '?read=runs',
    ];
    const about = [`?read=find&id=exec_1`, `?read=find&id=${id}`, `?read=payload&id=${id}`];
    for (const query of [...queries, ...about]) {
      expect(await (await get(query)).text()).not.toContain('"triggerType"');
    }
    expect((await get(`?read=payload&id=${id}`)).status).toBe(403);
    const shown = await opened(() => true, { showPayloads: true });
    const payload = await (await shown.get(`?read=payload&id=${id}`)).json();
    expect(payload).toMatchObject({ isCut: false });
    expect(JSON.parse(payload.text)).toMatchObject({ data: { run: { id: 'exec_2' } } });
    expect(payload.text).toContain('\n  "data": {');
    const none = await (await shown.get('?read=payload&id=none')).json();
    expect(none).toEqual({ text: null, bytes: 0, isCut: false });
  });

  it('shows the numbers and strings of a payload as they were sent', async () => {
    const { receiver, clock } = await startedReceiver();
    await receiver.pause();
    const sent = JSON.stringify(runTimeline(['completed'], { run: { id: 'exec_1' } })[0]).replace(
      '"test":false',
      '"test":false,"more":[90071992547409931,1.10,-0.0,"a\\u0041\\"{,",[],{},{"a":null}]',
    );
    const id = 'whev_exec_1_1';
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = sign({ secret: SECRET, id, timestamp, body: sent });
    await receiver.receive({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: Buffer.from(sent),
    });
    const inbox = createInbox(receiver, { authorize: () => true, showPayloads: true });
    const read = await inbox(new Request(`${URL_OF_PAGE}?read=payload&id=${id}`));
    const { text } = await read.json();
    const lines = ['90071992547409931,', '1.10,', '-0.0,', '"a\\u0041\\"{,",', '[],', '{},'];
    const shown = [
      ...lines.map((line) => `    ${line}`),
      '    {',
      '      "a": null',
      '    }',
      '  ],',
    ];
    expect(text).toContain(`  "more": [\n${shown.join('\n')}\n`);
  });

  it('shows the beginning of a long payload, and one that is not JSON as it is', async () => {
    const started = await startedReceiver();
    await started.receiver.pause();
    const [event] = runTimeline(['completed'], {
      run: { id: 'exec_long', output: 'x'.repeat(99_999) },
    });
    if (event !== undefined) await started.deliver(event);
    const inbox = createInbox(started.receiver, { authorize: () => true, showPayloads: true });
    const read = await inbox(new Request(`${URL_OF_PAGE}?read=payload&id=${event?.id}`));
    const { text, bytes, isCut } = await read.json();
    expect([text.length, bytes > 99_999, isCut]).toEqual([65_536, true, true]);
  });

  it('lists runs, and finds those of an agent or workflow', async () => {
    const { get } = await opened();
    const runs = async (query: string) => (await get(`?read=runs${query}`)).json();
    const { items } = await runs('');
    expect(items).toMatchObject([
      { runId: 'exec_2', status: 'failed', open: 0, dead: 1, handled: 1 },
      { runId: 'exec_1', status: 'failed', open: 0, dead: 1, handled: 1 },
    ]);
    const { automationId } = items[0];
    expect((await runs(`&automationId=${automationId}`)).items).toHaveLength(2);
    expect((await runs('&automationId=wf_other')).items).toEqual([]);
    const found = await (await get(`?read=find&id=${automationId}`)).json();
    expect(found).toEqual({ run: null, event: null, alsoIn: [], automationId });
    const count = await (await get(`?read=count&automationId=${automationId}`)).json();
    expect(count).toEqual({ count: 2 });
  });

  it('counts, redrives and discards dead letters', async () => {
    const { get, post, receiver, repair } = await opened();
    const count = async (query: string) => (await get(`?read=count${query}`)).json();
    expect(await count('')).toEqual({ count: 2 });
    expect(await count('&runId=exec_1')).toEqual({ count: 1 });
    expect(await count('&reason=event_poisoned')).toEqual({ count: 0 });
    repair();
    const redriven = await post({ change: 'redrive', filter: { runId: 'exec_1' } });
    expect(await redriven.json()).toEqual({ count: 1 });
    await receiver.idle();
    expect(await (await get('?read=dead')).json()).toMatchObject({
      items: [{ runId: 'exec_2', error: 'Error: billing is down', attempts: 1 }],
    });
    expect(await (await post({ change: 'discard', filter: {} })).json()).toEqual({ count: 1 });
    expect(await receiver.stats()).toMatchObject({ open: 0, dead: 0 });
  });

  it('finds a run by its id and by that of an event', async () => {
    const { get } = await opened();
    const ofRun = await (await get('?read=find&id=exec_1')).json();
    expect(ofRun).toMatchObject({
      event: null,
      run: { runId: 'exec_1', status: 'failed', gaps: 0, earlier: 0 },
    });
    expect(ofRun.run.steps).toMatchObject([{}, { gap: null, event: { state: 'dead' } }]);
    const { id } = ofRun.run.steps[1].event;
    const ofEvent = await (await get(`?read=find&id=${id}`)).json();
    expect(ofEvent).toMatchObject({ event: { id }, run: { runId: 'exec_1' } });
    const nothing = { run: null, event: null, alsoIn: [], automationId: null };
    expect(await (await get('?read=find&id=nothing')).json()).toEqual(nothing);
  });

  it('pauses and resumes', async () => {
    const { post, receiver } = await opened();
    await post({ change: 'pause' });
    await post({ change: 'pause', handler: 'failed' });
    expect((await receiver.stats()).paused).toEqual(['*', 'failed']);
    await post({ change: 'resume' });
    expect((await receiver.stats()).paused).toEqual(['failed']);
  });

  it.each([
    [{ change: 'delete' }],
    [{ change: 'discard' }],
    [{ change: 'discard', filter: { ids: 'whev_1' } }],
    [{ change: 'discard', filter: { reason: 'no' } }],
    [{ change: 'pause', handler: 'done' }],
    [null],
  ])('refuses the change %j', async (body) => {
    const { post, receiver } = await opened();
    expect((await post(body)).status).toBe(400);
    expect(await receiver.stats()).toMatchObject({ dead: 2, paused: [] });
  });

  it('refuses a body that is not JSON, or longer than 1 MiB', async () => {
    const { inbox, own, receiver } = await opened();
    const server = createServer(nodeInbox(inbox));
    for (const [body, status, code] of [
      ['{', 400, 'invalid'],
      ['', 400, 'invalid'],
      [JSON.stringify({ change: 'pause', more: 'x'.repeat(2_000_000) }), 413, 'body_too_large'],
    ] as const) {
      const one = await inbox(new Request(URL_OF_PAGE, { method: 'POST', headers: own, body }));
      expect([one.status, await one.json()]).toMatchObject([status, { code }]);
      const other = await supertest(server).post('/').set(own).send(body);
      expect([other.status, other.body]).toMatchObject([status, { code }]);
    }
    expect((await receiver.stats()).paused).toEqual([]);
  });

  it('has no byte of a handled event, also where its body is kept for a replay', async () => {
    const { receiver, deliver } = await startedReceiver({ keepBodiesDays: 1 });
    const [event] = runTimeline(['completed']);
    if (event === undefined) throw new Error('the timeline has one event');
    await deliver(event);
    expect(await receiver.replay({}, { dryRun: true })).toBe(1);
    expect(await receiver.body(event.id)).toBeNull();
    const inbox = createInbox(receiver, { authorize: () => true, showPayloads: true });
    const read = await inbox(new Request(`${URL_OF_PAGE}?read=payload&id=${event.id}`));
    expect(await read.json()).toEqual({ text: null, bytes: 0, isCut: false });
    await receiver.pause();
    await receiver.replay({});
    expect(await receiver.body(event.id)).not.toBeNull();
  });

  it('passes every cookie of a login on to Node.js', async () => {
    const { inbox } = await opened(() => {
      const response = new Response(null, { status: 302, headers: { location: '/login' } });
      response.headers.append('set-cookie', 'session=1; HttpOnly');
      response.headers.append('set-cookie', 'state=2; Expires=Wed, 01 Jul 2026 12:00:00 GMT');
      return response;
    });
    const { status, headers } = await supertest(createServer(nodeInbox(inbox))).get('/admin');
    expect([status, headers['location'], headers['set-cookie']]).toEqual([
      302,
      '/login',
      ['session=1; HttpOnly', 'state=2; Expires=Wed, 01 Jul 2026 12:00:00 GMT'],
    ]);
  });

  it('asks authorize before a byte of the body is read', async () => {
    const { inbox } = await opened(({ headers }) => headers.get('cookie') !== null);
    const socket = connect(await listeningPort(createServer(nodeInbox(inbox))), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nhalf');
    const [head]: Buffer[] = await once(socket, 'data');
    expect(head?.toString()).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  });

  it.each([
    [{ 'x-forwarded-proto': 'https, http' }, true],
    [{ 'x-forwarded-proto': 'http' }, false],
    [{}, false],
  ])('marks its cookie as Secure where the browser came by HTTPS: %j', async (sent, isSecure) => {
    const { inbox } = await opened();
    const { headers } = await supertest(createServer(nodeInbox(inbox)))
      .get('/')
      .set(sent);
    expect(String(headers['set-cookie']).endsWith('; Secure')).toBe(isSecure);
  });

  it('responds with 503 while the store is down', async () => {
    const { receiver, get } = await opened();
    await receiver.close();
    const store = { ...memoryStore(), stats: () => Promise.reject(new Error('down')) };
    const broken = await startedReceiver({ store });
    const inbox = createInbox(broken.receiver, { authorize: () => true });
    const response = await inbox(new Request(`${URL_OF_PAGE}?read=stats`));
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'store_unavailable', message: 'Error: down' },
    ]);
    expect((await get('')).status).toBe(200);
  });

  it.each([
    ['before', false],
    ['behind', true],
  ])('works in Express %s a body parser', async (_, isParsed) => {
    const { inbox, receiver, own } = await opened();
    const app = express();
    if (isParsed) app.use(express.json());
    app.use('/admin/hooks', nodeInbox(inbox));
    const client = supertest(app);
    const page = await client.get('/admin/hooks').expect(200);
    expect(page.text).toContain('<title>Hookproof inbox</title>');
    await client.get('/admin/hooks/?read=stats').expect(200, /"dead":2/);
    await client.post('/admin/hooks/?').set(own).send({ change: 'pause' }).expect(200);
    expect((await receiver.stats()).paused).toEqual(['*']);
  });
});
