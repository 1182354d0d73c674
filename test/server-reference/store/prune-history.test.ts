import { createServer, virtualClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { START, controlClient } from '../lab/control/control-client.ts';
import type { ControlClient } from '../lab/control/control-client.ts';
import { listenAt } from '../events/endpoint-listener.ts';

const LIMIT = 3;
const DELIVERIES = 5 * LIMIT;

interface Started extends ControlClient {
  readonly fixtures: readonly (string | undefined)[];
}

async function start(): Promise<Started> {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 30_000 }),
    historyLimit: LIMIT,
  });
  onTestFinished(() => server.close());
  const { runId, reviewedRunId, otherTenantRunId } = server.world.fixtures;
  return { fixtures: [runId, reviewedRunId, otherTenantRunId], ...controlClient(server) };
}

async function idsOf(control: ControlClient, path: string): Promise<string[]> {
  const { data } = await control.expectOk<{ data: { id: string }[] }>(200, `${path}limit=100`);
  return data.map(({ id }) => id);
}

/** Creates runs that end at once. */
async function endedRuns(control: ControlClient, count: number, more = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = await control.run({ status: 'completed', ...more });
    ids.push(id);
  }
  return ids;
}

test('the newest ended runs of each world are retained, its fixtures and its open runs', async () => {
  const control = await start();
  const open = await control.run({ status: 'running' });
  const { id: worldId } = await control.expectOk<{ id: string }>(201, '/worlds', {});
  const other = await endedRuns(control, LIMIT, { worldId });
  const ended = await endedRuns(control, LIMIT + 2);
  for (const id of ended.slice(0, 2))
    expect((await control.call(`/runs/${id}`, { method: 'GET' })).status).toBe(404);
  for (const id of [...ended.slice(2), ...other, open.id, ...control.fixtures]) {
    await control.expectOk(200, `/runs/${id}`);
  }
  await control.advance(1);
  await control.move(open.id, 'failed');
  expect((await control.call(`/runs/${ended[2]}`, { method: 'GET' })).status).toBe(404);
  await control.expectOk(200, `/runs/${open.id}`);
});

test('the newest settled deliveries are retained with their events, and pending ones', async () => {
  const control = await start();
  const hung = await control.endpoint('http://127.0.0.1:9/');
  await control.run();
  await control.advance(0);
  const [pending] = await control.deliveries();
  await control.call(`/webhook-endpoints/${hung.id}`, { method: 'PATCH', json: { enabled: true } });
  const listener = await listenAt();
  await control.endpoint(listener.url);
  for (let count = 0; count < DELIVERIES + 3; count += 1) {
    await control.run({ status: 'completed' });
    await control.advance(0);
  }
  const deliveries = await control.deliveries();
  const settled = deliveries.filter(({ status }) => status === 'delivered');
  expect(settled).toHaveLength(DELIVERIES);
  expect(deliveries.map(({ id }) => id)).toContain(pending?.id);
  const events = await idsOf(control, '/events?');
  expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(new Set(events));
});

test('the newest events without a delivery are retained', async () => {
  const control = await start();
  const before = await idsOf(control, '/events?');
  expect(before).toEqual([]);
  for (let count = 0; count < DELIVERIES + 4; count += 1) await control.run();
  const events = await idsOf(control, '/events?');
  expect(events).toHaveLength(DELIVERIES);
  const run = await control.run();
  const { data } = await control.expectOk<{ data: object[] }>(200, `/events?runId=${run.id}`);
  expect(data).toHaveLength(1);
});
