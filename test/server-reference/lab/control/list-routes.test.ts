import { virtualClock } from '@hookproof/server-reference';
import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import { controlClient, openControlled, START } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

interface List {
  readonly data: readonly { readonly id: string; readonly [name: string]: unknown }[];
  readonly nextCursor?: string;
}

/** Reads a list page by page. */
async function pages(control: ControlClient, path: string, limit: number): Promise<List['data'][]> {
  const read: List['data'][] = [];
  const more = path.includes('?') ? '&' : '?';
  for (let cursor = ''; ;) {
    const page = await control.expectOk<List>(200, `${path}${more}limit=${limit}${cursor}`);
    read.push(page.data);
    if (page.nextCursor === undefined) return read;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

const app = await openApp({ clock: virtualClock({ now: START }) });
afterAll(() => app.close());
/** Three and more of everything that has a list. */
const filled = controlClient(app);
for (const step of [1, 2, 3]) {
  await filled.expectOk(201, '/worlds', { label: `world ${step}` });
  await filled.endpoint('http://127.0.0.1:1/');
  await filled.run();
  await filled.idle();
  await call(app.listener, { path: '/v1/auth/check', key: app.world.keys.wildcard });
  await filled.advance(1_000);
}

const LISTS = [
  '/worlds',
  '/keys',
  '/runs',
  '/webhook-endpoints',
  '/events',
  '/deliveries',
  '/delivery-rows',
  '/requests',
];

describe('every list', () => {
  test('is complete without a limit, and has the same entries in pages of any size', async () => {
    for (const path of LISTS) {
      const { data, nextCursor } = await filled.expectOk<List>(200, path);
      expect(nextCursor).toBeUndefined();
      expect(data.length, path).toBeGreaterThanOrEqual(3);
      for (const limit of [Math.ceil(data.length / 3), data.length, data.length + 1]) {
        const read = await pages(filled, path, limit);
        expect(read.flat(), path).toEqual(data);
        expect(read).toHaveLength(Math.ceil(data.length / limit));
      }
    }
  });

  test('can begin with the newest', async () => {
    for (const path of LISTS) {
      const { data } = await filled.expectOk<List>(200, path);
      const read = await pages(filled, `${path}?order=newest`, Math.ceil(data.length / 2));
      expect(read.flat(), path).toEqual(data.toReversed());
    }
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'order=best', 'cursor=x', 'cursor=4piD'])(
    'refuses %s',
    async (query) => {
      for (const path of LISTS) {
        const { issues } = await filled.expectError(400, `${path}?${query}`);
        expect(issues).toMatchObject([{ field: query.split('=')[0], code: 'invalid_value' }]);
      }
    },
  );
});

test('deliveries are counted by status, whatever the page and the filter of the status', async () => {
  const control = await openControlled();
  const endpoint = await control.endpoint('http://127.0.0.1:1/');
  await control.run();
  await control.run();
  const counts = { pending: 2, delivered: 0, ended: 0 };
  const listed = (query: string) => control.expectOk(200, `/delivery-rows?${query}`);
  expect(await listed('limit=1')).toMatchObject({ counts });
  expect(await listed('status=ended')).toMatchObject({ data: [], counts });
  expect(await listed(`endpointId=${endpoint.id}`)).toMatchObject({ counts });
  const none = { pending: 0, delivered: 0, ended: 0 };
  expect(await listed('endpointId=whep_x')).toMatchObject({ counts: none });
});

test('runs are listed without values, with the moves that they allow, and filtered', async () => {
  const control = await openControlled();
  const { world } = control.app;
  const { agentId } = world.fixtures;
  const run = await control.run({ automationId: agentId, output: 'value', origin: 'evaluation' });
  const { data } = await control.expectOk<List>(
    200,
    `/runs?automationId=${agentId}&origin=evaluation`,
  );
  expect(data).toEqual([
    {
      id: run.id,
      worldId: world.id,
      tenantId: world.tenantId,
      automationId: agentId,
      automationSlug: world.fixtures.agentSlug,
      type: 'agent',
      status: 'created',
      origin: 'evaluation',
      triggerType: 'api',
      createdAt: run.createdAt,
      startedAt: null,
      completedAt: null,
      allowedMoves: ['pending', 'cancelled', 'rejected'],
    },
  ]);
  await control.move(run.id, 'rejected');
  const rejected = await control.expectOk<List>(200, '/runs?status=rejected&order=newest&limit=1');
  expect(rejected.data).toMatchObject([{ id: run.id, allowedMoves: [] }]);
  expect(await control.expectOk(200, '/runs?worldId=nothing')).toEqual({ data: [] });
});

test('the runs of a seeded world are listed by their age', async () => {
  const control = await openControlled();
  const first = await control.run();
  await control.expectOk(201, '/worlds', {});
  const { data } = await control.expectOk<List>(200, '/runs?order=newest&limit=1000');
  const times = data.map(({ createdAt }) => String(createdAt));
  expect(times.length).toBeGreaterThan(20);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(data[0]?.id).toBe(first.id);
});

test('keys, endpoints and runs are listed by world', async () => {
  const control = await openControlled();
  const other = await control.expectOk<{ id: string; keys: object }>(201, '/worlds', {});
  await control.endpoint('http://127.0.0.1:1/');
  const endpoint = await control.endpoint('http://127.0.0.1:1/', { worldId: other.id });
  const keys = await control.expectOk<List>(200, `/keys?worldId=${other.id}`);
  expect(new Set(keys.data.map(({ key }) => key))).toEqual(new Set(Object.values(other.keys)));
  const endpoints = await control.expectOk<List>(200, `/webhook-endpoints?worldId=${other.id}`);
  expect(endpoints.data).toMatchObject([endpoint]);
  const runs = await control.expectOk<List>(200, `/runs?worldId=${other.id}`);
  expect(runs.data.every(({ worldId }) => worldId === other.id)).toBe(true);
});

test('deliveries are listed by status', async () => {
  const control = await openControlled();
  await control.endpoint('http://127.0.0.1:1/');
  await control.run();
  await control.idle();
  expect(await control.deliveries('?status=pending')).toHaveLength(1);
  expect(await control.deliveries('?status=delivered')).toEqual([]);
});
