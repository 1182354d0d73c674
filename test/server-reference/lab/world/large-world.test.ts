import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { ReadonlyState } from '../../../../server-reference/src/platform/state/state.ts';
import { call } from '../../contract-client.ts';
import { plainState } from '../../state-by-text.ts';
import { controlClient } from '../control/control-client.ts';
import { NOW } from './seeded.ts';

/** The numbers of a world without and with the additions. */
const SMALL_RUNS = 25;
const LARGE_RUNS = 100_025;

const ADDITIONS = { automations: 50, examples: 500, runs: 2_000 };

function largeState(seed: number) {
  const state = emptyState(seed, 'token');
  createWorld(state, NOW);
  const before = sizesOf(state);
  const world = createWorld(state, NOW, { additions: ADDITIONS });
  return { state, world, before };
}

function largeText(seed: number): string {
  return JSON.stringify(plainState(largeState(seed).state));
}

function sizesOf({ automations, examples, runs }: ReadonlyState) {
  return { automations: automations.size, examples: examples.size, runs: runs.size };
}

describe('a large world', () => {
  test('depends on the seed only', () => {
    const first = largeText(1);
    expect(largeText(1)).toBe(first);
    expect(largeText(2)).not.toBe(first);
  });

  test('has unique ids, and names that are unique where they must be', () => {
    const { state, world, before } = largeState(1);
    expect(sizesOf(state)).toEqual({
      automations: 2 * before.automations + ADDITIONS.automations,
      examples: 2 * before.examples + ADDITIONS.examples,
      runs: 2 * before.runs + ADDITIONS.runs,
    });
    const own = [...state.automations.values()].filter((one) => one.tenantId === world.tenantId);
    expect(new Set(own.map(({ slug }) => slug)).size).toBe(own.length);
    for (const { id } of own) {
      const names = state.datasets.of(id).map((example) => state.examples.get(example)?.name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('has runs whose times agree', () => {
    const { state, world } = largeState(1);
    for (const id of state.listed.runs.of(world.tenantId)) {
      const run = state.runs.get(id) ?? expect.unreachable();
      if (run.kept !== true) continue;
      const { createdAt, startedAt, completedAt, history } = run;
      expect(history[0]?.at).toBe(createdAt);
      expect(history.at(-1)).toEqual({ status: run.status, at: completedAt });
      expect([null, ...history.map(({ at }) => at)]).toContain(startedAt);
      expect(Date.parse(completedAt ?? '')).toBeLessThanOrEqual(NOW);
    }
  });
});

describe('a server with a large world', () => {
  let server: ReferenceServer;
  beforeAll(async () => {
    server = await createServer({
      store: { kind: 'memory' },
      world: 'large',
      clock: virtualClock({ now: NOW }),
    });
  });
  afterAll(() => server.close());

  function read(path: string) {
    return call(server.baseUrl, { path, key: server.world.keys.wildcard });
  }

  test.each([
    ['/v1/runs?limit=100', LARGE_RUNS],
    ['/v1/runs?limit=100&offset=99990', LARGE_RUNS],
    ['/v1/automations?limit=100&offset=500', 1_013],
  ])('responds to GET %s as a small one does', async (path, total) => {
    const { status, body } = await read(path);
    expect({ status, total: body.total }).toEqual({ status: 200, total });
  });

  test('has a run of every automation, which can be read', async () => {
    const { body } = await read('/v1/automations?limit=1&offset=500');
    const runs = await read(`/v1/runs?automationId=${body.data[0].id}&limit=1`);
    expect(runs.body.total).toBeGreaterThan(10);
  });

  test('keeps its runs when runs are added', async () => {
    const control = controlClient(server);
    await control.run({ status: 'cancelled' });
    expect((await read('/v1/runs?limit=1')).body.total).toBe(LARGE_RUNS + 1);
  });

  test('has small other worlds', async () => {
    const control = controlClient(server);
    const world = await control.expectOk<{ keys: { wildcard: string } }>(201, '/worlds', {});
    const { body } = await call(server.baseUrl, {
      path: '/v1/runs?limit=1',
      key: world.keys.wildcard,
    });
    expect(body.total).toBe(SMALL_RUNS);
  });
});

test.each(['huge', 3])('refuses the size %s', async (world) => {
  await expect(
    createServer({ store: { kind: 'memory' }, world: world as 'large' }),
  ).rejects.toThrow(`world must be one of small, large, got ${world}.`);
});
