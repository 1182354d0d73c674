import { createServer } from '@hookproof/server-reference';
import type { StreamEvent } from '@hookproof/spec/control';
import { describe, expect, test } from 'vitest';

import { listenAt, statuses } from '../../events/endpoint-listener.ts';
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
});
