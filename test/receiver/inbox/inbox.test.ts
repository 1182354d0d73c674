import { createReceiver } from '@hookproof/receiver';
import { createInbox, nodeInbox } from '@hookproof/receiver/inbox';
import type { InboxOptions } from '@hookproof/receiver/inbox';
import { memoryStore } from '@hookproof/receiver/memory';
import express from 'express';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';
import { untyped } from '../verify-delivery.ts';
import { receiverWithDeadLetters } from './receiver-with-dead-letters.ts';

const URL_OF_PAGE = 'https://app.example/admin/hooks';
const OWN = { 'x-hookproof-inbox': '1', 'content-type': 'application/json' };

/** An inbox with two dead letters, of the runs `exec_1` and `exec_2`. */
async function opened(authorize: InboxOptions['authorize'] = () => true) {
  const started = await receiverWithDeadLetters('live');
  const inbox = createInbox(started.receiver, { authorize });
  const get = async (query: string) => inbox(new Request(`${URL_OF_PAGE}${query}`));
  const post = (body: unknown, headers: Record<string, string> = OWN) =>
    inbox(new Request(URL_OF_PAGE, { method: 'POST', headers, body: JSON.stringify(body) }));
  return { ...started, inbox, get, post };
}

describe('an inbox', () => {
  it('does not start without authorize, and only with a receiver', () => {
    const receiver = createReceiver({ secrets: 'whsec_x', store: memoryStore() });
    expect(() => createInbox(receiver, untyped({}))).toThrow(/authorize must be a function/);
    expect(() => createInbox(untyped({}), { authorize: () => true })).toThrow(/source must be/);
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
    expect(seen).toEqual(['the request of the framework']);
  });

  it('forbids the page everything but its own files', async () => {
    const { get } = await opened();
    const page = await get('');
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(await page.text()).not.toMatch(/<style|<script>|https?:/);
    expect((await get('?file=script')).headers.get('content-type')).toMatch(/javascript/);
    expect((await get('?file=other')).status).toBe(404);
  });

  it.each([
    ['without its header', { 'content-type': 'text/plain' }],
    ['from another site', { ...OWN, 'sec-fetch-site': 'cross-site' }],
    ['from another origin of the site', { ...OWN, 'sec-fetch-site': 'same-site' }],
  ])('refuses a change %s', async (_, headers) => {
    const { post, receiver } = await opened();
    const response = await post({ change: 'discard', filter: {} }, headers);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'cross_site' });
    expect(await receiver.stats()).toMatchObject({ dead: 2 });
  });

  it('counts, handles again and discards dead letters', async () => {
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
    expect(await receiver.stats()).toMatchObject({ open: 0, dead: 0, settled: 4 });
  });

  it('finds a run by its id and by that of an event', async () => {
    const { get } = await opened();
    const ofRun = await (await get('?read=find&id=exec_1')).json();
    expect(ofRun).toMatchObject({
      event: null,
      run: { runId: 'exec_1', timeline: { status: 'failed' }, events: [{}, { state: 'dead' }] },
    });
    const [, { id }] = ofRun.run.events;
    const ofEvent = await (await get(`?read=find&id=${id}`)).json();
    expect(ofEvent).toMatchObject({ event: { id }, run: { runId: 'exec_1' } });
    expect(await (await get('?read=find&id=nothing')).json()).toEqual({ run: null, event: null });
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
    const { inbox, receiver } = await opened();
    const app = express();
    if (isParsed) app.use(express.json());
    app.use('/admin/hooks', nodeInbox(inbox));
    const client = supertest(app);
    const page = await client.get('/admin/hooks').expect(200);
    expect(page.text).toContain('<title>Webhook inbox</title>');
    await client.get('/admin/hooks/?read=stats').expect(200, /"dead":2/);
    await client.post('/admin/hooks/?').set(OWN).send({ change: 'pause' }).expect(200);
    expect((await receiver.stats()).paused).toEqual(['*']);
  });
});
