import { createServer } from '@hookproof/server-reference';
import type { StreamEvent } from '@hookproof/spec/control';
import { describe, expect, test } from 'vitest';

import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { send } from '../../send.ts';
import { startControlled } from './control-client.ts';
import { openStream } from './event-stream.ts';

const MAX_STREAMS = 32;

const ofKind = (kind: StreamEvent['event']) => (event: StreamEvent) => event.event === kind;
const kinds = (events: readonly StreamEvent[]) => events.map(({ event }) => event);

describe('the stream', () => {
  test('begins with ready, as server-sent events that no proxy keeps', async () => {
    const { server } = await startControlled();
    const stream = await openStream(server);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(await stream.next()).toMatchObject({ event: 'ready', data: { reason: 'new' } });
  });

  test('shows a run, its delivery, each attempt and the clock, in their order', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503, 204));
    const endpoint = await control.endpoint(listener.url);
    const stream = await openStream(control.server);
    await stream.next();
    const run = await control.run({ status: 'running' });
    await control.idle();
    await control.advance(60_000);
    const rows = await stream.until(ofKind('clock'));
    expect(kinds(rows)).toEqual([
      'run',
      'event',
      'delivery',
      'attempt',
      'delivery',
      'attempt',
      'delivery',
      'clock',
    ]);
    const [created, event, , first, waiting, second, done] = rows;
    expect(created?.data).toMatchObject({
      id: run.id,
      status: 'running',
      allowedMoves: ['waiting', 'finalizing', 'failed', 'cancelled'],
    });
    expect(event?.data).toMatchObject({ type: 'run.created', runId: run.id, test: false });
    expect(first?.data).toMatchObject({
      number: 1,
      runId: run.id,
      runStatus: 'running',
      endpointId: endpoint.id,
      url: listener.url,
      status: 503,
      deliveryStatus: 'pending',
    });
    expect(waiting?.data).toMatchObject({ status: 'pending', attemptCount: 1 });
    expect(second?.data).toMatchObject({ number: 2, status: 204, responseExcerpt: null });
    expect(done?.data).toMatchObject({ status: 'delivered', attemptCount: 2, nextAttemptAt: null });
    expect(JSON.stringify(rows)).not.toContain('whsec_');
  });

  test('shows requests, endpoints and faults, and what is removed', async () => {
    const control = await startControlled();
    const { server } = control;
    const stream = await openStream(server);
    await stream.next();
    const endpoint = await control.endpoint('http://127.0.0.1:1/');
    await control.call(`/webhook-endpoints/${endpoint.id}`, { method: 'DELETE' });
    const match = { operationId: 'checkAuth' };
    const order = { match, effect: { status: 503 } };
    const fault = await control.expectOk<{ id: string }>(201, '/api-faults', order);
    const headers = { authorization: `Bearer ${server.world.keys.wildcard}` };
    await send(server.baseUrl, { method: 'GET', path: '/v1/auth/check', headers });
    await control.call(`/api-faults/${fault.id}`, { method: 'DELETE' });
    const rows = await stream.until(({ data }) => 'kind' in data && data.kind === 'api-fault');
    expect(rows.map(({ event, data }) => [event, data])).toMatchObject([
      ['endpoint', { id: endpoint.id, enabled: true }],
      ['removed', { kind: 'endpoint', id: endpoint.id }],
      ['api-fault', { fault: { id: fault.id, match, hits: 0, armed: true }, hit: null }],
      ['api-fault', { fault: { id: fault.id, hits: 1 }, hit: { path: '/v1/auth/check' } }],
      ['request', { path: '/v1/auth/check', status: 503, refusedAt: 'fault' }],
      ['removed', { kind: 'api-fault', id: fault.id }],
    ]);
  });

  test('shows worlds, keys, limits and delivery faults, without secrets', async () => {
    const control = await startControlled();
    const stream = await openStream(control.server);
    await stream.next();
    const world = await control.expectOk<{ id: string }>(201, '/worlds', { label: 'mine' });
    const key = await control.expectOk<{ id: string }>(201, '/keys', { wildcard: true });
    await control.call(`/keys/${key.id}`, { method: 'DELETE' });
    const order = { name: 'drop-then-redeliver' };
    const fault = await control.expectOk<{ id: string }>(201, '/delivery-faults', order);
    const limits = { rateLimit: { requests: 5, windowSeconds: 60 } };
    await control.call('/limits', { method: 'PATCH', json: limits });
    const endpoint = await control.endpoint((await listenAt()).url);
    await control.call(`/webhook-endpoints/${endpoint.id}/test`, { json: {} });
    await control.idle();
    await control.advance(60_000);
    await control.call(`/worlds/${world.id}`, { method: 'DELETE' });
    const rows = await stream.until(({ data }) => 'kind' in data && data.kind === 'world');
    const dataOf = (kind: StreamEvent['event']): unknown[] =>
      rows.filter(ofKind(kind)).map(({ data }) => data);
    expect(dataOf('world')).toEqual([
      { id: world.id, tenantId: expect.any(String), label: 'mine' },
    ]);
    expect(dataOf('key').slice(-2)).toMatchObject([
      { id: key.id, revokedAt: null },
      { id: key.id, revokedAt: expect.any(String) },
    ]);
    expect(dataOf('limits')).toEqual([{ ...limits, accounting: 'available' }]);
    expect(dataOf('delivery-fault')).toMatchObject([
      { fault: { id: fault.id, name: order.name, hits: 0, armed: true }, hit: null },
      { fault: { id: fault.id, hits: 1, armed: false }, hit: { deliveryId: expect.any(String) } },
    ]);
    expect(dataOf('removed')).toContainEqual({ kind: 'world', id: world.id });
    expect(JSON.stringify(rows)).not.toMatch(/whsec_|hpk_/);
  });

  test('resumes after any event without losing or doubling a row', async () => {
    const control = await startControlled();
    const whole = await openStream(control.server);
    const ready = await whole.next();
    const run = await control.run();
    await control.move(run.id, 'running');
    await control.move(run.id, 'finalizing');
    await control.move(run.id, 'completed');
    const rows = await whole.until(({ data }) => 'status' in data && data.status === 'completed');
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const [index, { id }] of [ready, ...rows]
      .map((one) => one ?? expect.unreachable())
      .entries()) {
      const resumed = await openStream(control.server, id);
      expect(await resumed.next()).toMatchObject({
        event: 'ready',
        id,
        data: { reason: 'resumed' },
      });
      const rest = rows.slice(index);
      for (const row of rest) expect(await resumed.next()).toEqual(row);
      resumed.close();
    }
  });

  test.each(['00000000-1', 'x', '-', 'eins-zwei', '99999999999999999999'])(
    'says reset to the unknown id %s, and continues with new rows',
    async (id) => {
      const control = await startControlled();
      const stream = await openStream(control.server, id);
      expect(await stream.next()).toMatchObject({ event: 'reset', data: { reason: 'unknown_id' } });
      await control.run();
      expect(await stream.next()).toMatchObject({ event: 'run' });
    },
  );

  test('ends when the server closes, which does not wait for its readers', async () => {
    const server = await createServer({ store: { kind: 'memory' } });
    const stream = await openStream(server);
    await stream.next();
    await server.close();
    expect(await stream.next()).toBeNull();
  });

  test(`is open at most ${MAX_STREAMS} times, and a closed one makes room`, async () => {
    const control = await startControlled();
    const streams = [];
    for (let opened = 0; opened < MAX_STREAMS; opened += 1) {
      streams.push(await openStream(control.server));
    }
    const { issues } = await control.expectError(409, '/stream');
    expect(issues).toMatchObject([{ code: 'too_many_streams' }]);
    streams[0]?.close();
    await expect
      .poll(async () => {
        const next = await openStream(control.server);
        return next.response.statusCode;
      })
      .toBe(200);
  });

  test('needs the control token', async () => {
    const control = await startControlled();
    await control.expectError(401, '/stream', { token: control.server.world.keys.wildcard });
  });
});
