import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { call } from '../contract-client.ts';
import { blockWrites, readDataFolder } from '../data-folder.ts';
import { controlClient, START } from '../lab/control/control-client.ts';
import type { ControlClient } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';
import { recordingLogger } from '../store/recording-logger.ts';

async function serve(path: string): Promise<ReferenceServer> {
  const server = await createServer({
    store: { kind: 'folder', path },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 30_000 }),
    logger: recordingLogger(),
  });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

/** Every way to change a run or to create an event, by its name and its response. */
interface Ways {
  readonly control: ControlClient;
  readonly server: ReferenceServer;
  readonly runId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
}
type Way = (ways: Ways) => Promise<{ status: number; body: unknown }>;

const api =
  (path: (ways: Ways) => string, json?: object): Way =>
  (ways) => {
    const { baseUrl, world } = ways.server;
    const key = world.keys.wildcard;
    return call(baseUrl, { method: 'POST', path: path(ways), key, ...(json && { json }) });
  };
const control =
  (path: (ways: Ways) => string, json: object): Way =>
  (ways) =>
    ways.control.call(path(ways), { json });

const WAYS: Readonly<Record<string, Way>> = {
  'a run started over the API': api(() => '/v1/runs', { target: 'workflows.invoice-matcher' }),
  'a run cancelled over the API': api(({ runId }) => `/v1/runs/${runId}/cancel`),
  'a run created at the control interface': control(() => '/runs', {}),
  'a run moved at the control interface': control(({ runId }) => `/runs/${runId}/moves`, {
    status: 'running',
  }),
};
const ALL_WAYS: Readonly<Record<string, Way>> = {
  ...WAYS,
  'Send test': control(({ endpointId }) => `/webhook-endpoints/${endpointId}/test`, {}),
  'a sent event': control(() => '/events', { payload: '{"id":"whev_sent"}' }),
  'a redelivery': control(({ deliveryId }) => `/deliveries/${deliveryId}/redeliver`, {}),
};

async function prepare(path: string, url: string): Promise<Ways> {
  const server = await serve(path);
  const client = controlClient(server);
  const { id: endpointId } = await client.endpoint(url);
  const { id: runId } = await client.run();
  await client.idle();
  const { id: deliveryId } = await client.onlyDelivery();
  return { control: client, server, runId, endpointId, deliveryId };
}

describe.each(Object.entries(WAYS))('%s', (_what, way) => {
  test('gets its response once run, event and delivery are on disk', async () => {
    const path = emptyFolder();
    const hung = await listenAt(() => {});
    const ways = await prepare(path, (await listenAt()).url);
    await ways.control.call(`/webhook-endpoints/${ways.endpointId}`, {
      method: 'PATCH',
      json: { url: hung.url },
    });
    const { status, body } = await way(ways);
    expect([200, 201, 202]).toContain(status);
    const { runs, events, deliveries } = await readDataFolder(path);
    const run = body as { id: string; status: string };
    expect(runs[run.id]?.status).toBe(run.status);
    const event = Object.values(events).at(-1);
    expect(event).toMatchObject({ runId: run.id });
    const { id, status: reported } = JSON.parse(event?.payload ?? '').data.run;
    expect([id, reported]).toEqual([run.id, run.status]);
    const delivery = Object.values(deliveries).at(-1);
    expect(delivery).toMatchObject({ eventId: event?.id, runId: run.id, status: 'pending' });
  });
});

describe.each(Object.entries(ALL_WAYS))('%s that cannot be written', (_what, way) => {
  test('is refused, sends nothing, and does not exist after a restart', async () => {
    const path = emptyFolder();
    const listener = await listenAt();
    const ways = await prepare(path, listener.url);
    const before = await readDataFolder(path);
    const unblock = await blockWrites(path);
    expect(await way(ways)).toMatchObject({
      status: 500,
      body: { issues: [{ code: 'internal_error' }] },
    });
    await ways.control.call('/clock/advance', { json: { milliseconds: 60_000 } });
    await expect(ways.server.close()).rejects.toMatchObject({ code: 'store_write_failed' });
    expect(listener.arrivals).toHaveLength(1);

    await unblock();
    await controlClient(await serve(path)).advance(60_000);
    const { runs, events, deliveries } = await readDataFolder(path);
    expect({ runs, events, deliveries }).toEqual({
      runs: before.runs,
      events: before.events,
      deliveries: before.deliveries,
    });
    expect(listener.arrivals).toHaveLength(1);
  });
});

test.each(['a run started over the API', 'a redelivery'])(
  '%s that cannot be written is written with the next change, and sent after a restart',
  async (what) => {
    const path = emptyFolder();
    const listener = await listenAt();
    const ways = await prepare(path, listener.url);
    const unblock = await blockWrites(path);
    expect((await ALL_WAYS[what]?.(ways))?.status).toBe(500);
    await unblock();
    await ways.control.expectOk(201, '/keys', { scope: [] });
    await ways.server.close();
    await controlClient(await serve(path)).idle();
    expect(listener.arrivals).toHaveLength(2);
  },
);
