import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { call } from '../../contract-client.ts';
import { START, controlClient, startControlled } from '../../lab/control/control-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { recordingLogger } from '../../store/recording-logger.ts';

const TRANSITIONS = [
  { status: 'running', afterMilliseconds: 1_000 },
  { status: 'waiting', afterMilliseconds: 2_000 },
  { status: 'running', afterMilliseconds: 0 },
  { status: 'finalizing', afterMilliseconds: 3_000 },
  { status: 'completed', afterMilliseconds: 500, output: { pallets: 14 } },
];

async function readUsage({ baseUrl, world }: ReferenceServer, id: string): Promise<unknown> {
  const { body } = await call(baseUrl, { path: `/v1/runs/${id}/usage`, key: world.keys.workflow });
  return body.usage;
}

describe('a run with scheduled transitions', () => {
  test('makes each move at its time, with its event, and nothing before', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    const { id } = await control.run({ scheduledTransitions: TRANSITIONS });
    await control.advance(999);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status: 'pending' });
    await control.advance(1);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status: 'running' });
    expect(await readUsage(control.server, id)).toMatchObject({ durationMs: 0 });
    await control.advance(60_000);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({
      status: 'completed',
      output: { pallets: 14 },
      startedAt: '2026-07-01T00:00:01.000Z',
      completedAt: '2026-07-01T00:00:06.500Z',
    });
    expect(await readUsage(control.server, id)).toMatchObject({ durationMs: 5_500 });
    const events = listener.arrivals.map(({ body }) => JSON.parse(body.toString('utf8')));
    expect(
      events
        .toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
        .map(({ createdAt, data }) => [createdAt.slice(17, -1), data.currentStatus]),
    ).toEqual(
      expect.arrayContaining([
        ['00.000', undefined],
        ['01.000', 'running'],
        ['03.000', 'waiting'],
        ['03.000', 'running'],
        ['06.000', 'finalizing'],
        ['06.500', 'completed'],
      ]),
    );
    expect(events).toHaveLength(6);
  });

  test('keeps its own times beside many others', async () => {
    const control = await startControlled();
    const runs = await Promise.all(
      [700, 10, 300, 300, 0].map((afterMilliseconds) =>
        control.run({ scheduledTransitions: [{ status: 'running', afterMilliseconds }] }),
      ),
    );
    await control.advance(1_000);
    const ends = await Promise.all(
      runs.map(({ id }) => control.expectOk<{ startedAt: string }>(200, `/runs/${id}`)),
    );
    expect(ends.map(({ startedAt }) => Date.parse(startedAt) - START)).toEqual([
      700, 10, 300, 300, 0,
    ]);
  });

  test('continues by hand after a move by hand', async () => {
    const control = await startControlled();
    const { id } = await control.run({ scheduledTransitions: TRANSITIONS });
    await control.advance(1_500);
    await control.move(id, 'finalizing');
    await control.advance(60_000);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status: 'finalizing' });
  });

  test('stays cancelled', async () => {
    const control = await startControlled();
    const { id } = await control.run({ scheduledTransitions: TRANSITIONS });
    const { baseUrl, world } = control.server;
    const key = world.keys.wildcard;
    expect(
      (await call(baseUrl, { method: 'POST', path: `/v1/runs/${id}/cancel`, key })).status,
    ).toBe(200);
    await control.advance(60_000);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({
      status: 'cancelled',
      startedAt: null,
      completedAt: '2026-07-01T00:00:00.000Z',
    });
    expect(await readUsage(control.server, id)).toMatchObject({ durationMs: 0 });
  });

  test('continues after a restart, and makes overdue moves', async () => {
    const store = { kind: 'folder', path: emptyFolder() } as const;
    const first = await createServer({ store, clock: virtualClock({ now: START }) });
    const { id } = await controlClient(first).run({ scheduledTransitions: TRANSITIONS });
    await controlClient(first).advance(1_200);
    await first.close();

    const clock = virtualClock({ now: START + 3_100, stallTimeoutMilliseconds: 30_000 });
    const second = await createServer({ store, clock });
    onTestFinished(() => second.close());
    const control = controlClient(second);
    await control.advance(0);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status: 'running' });
    await control.advance(2_900);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status: 'finalizing' });
    await control.advance(500);
    expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status: 'completed' });
  });

  test('makes no move once the server is closed', async () => {
    const clock = virtualClock({ now: START, stallTimeoutMilliseconds: 30_000 });
    const logger = recordingLogger();
    const server = await createServer({ store: { kind: 'memory' }, clock, logger });
    await controlClient(server).run({ scheduledTransitions: TRANSITIONS });
    await server.close();
    await clock.advance(60_000);
    expect(logger.lines).toEqual([]);
  });
});
