import type { World } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

import { listenAt } from '../../events/endpoint-listener.ts';
import { startControlled } from './control-client.ts';

function ids(world: World): string[] {
  return [
    world.id,
    world.tenantId,
    ...Object.values(world.keys),
    ...Object.entries(world.fixtures).flatMap(([name, id]) => (name.endsWith('Id') ? [id] : [])),
  ];
}

describe('worlds', () => {
  test('share nothing, neither seeded nor new ones', async () => {
    const control = await startControlled();
    const seeded = await control.expectOk<World>(200, '/world');
    const fresh = await control.expectOk<World>(201, '/worlds', {});
    expect(seeded).toEqual(control.server.world);
    expect(Object.keys(fresh.fixtures)).toEqual(Object.keys(seeded.fixtures));
    expect(ids(fresh).filter((id) => ids(seeded).includes(id))).toEqual([]);
  });

  test('send events to their own endpoints only', async () => {
    const control = await startControlled();
    const fresh = await control.expectOk<World>(201, '/worlds', {});
    const [one, other] = [await listenAt(), await listenAt()];
    await control.endpoint(one.url);
    await control.endpoint(other.url, { worldId: fresh.id });
    const run = await control.run({ worldId: fresh.id });
    await control.idle();
    expect([one.arrivals.length, other.arrivals.length]).toEqual([0, 1]);
    expect(run.automationId).toBe(fresh.fixtures.workflowId);
    const wrong = { worldId: fresh.id, automationId: control.server.world.fixtures.workflowId };
    const { issues } = await control.expectError(404, '/runs', { json: wrong });
    expect(issues[0]).toMatchObject({ field: 'automationId', code: 'not_found' });
  });
});

describe('runs', () => {
  test('refuse a move outside the graph with 409, both statuses and the allowed ones', async () => {
    const control = await startControlled();
    const { id } = await control.run();
    const { issues } = await control.expectError(409, `/runs/${id}/moves`, {
      json: { status: 'completed' },
    });
    expect(issues).toEqual([
      {
        field: 'status',
        code: 'invalid_transition',
        severity: 'error',
        message:
          'a run cannot move from pending to completed: expected one of running, cancelled, rejected',
      },
    ]);
    await control.move(id, 'cancelled');
    const end = await control.expectError(409, `/runs/${id}/moves`, {
      json: { status: 'running' },
    });
    expect(end.issues[0]?.message).toBe(
      'a run cannot move from cancelled to running: cancelled is terminal',
    );
  });

  test('have the output in the API that their event omits', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    const output = { text: 'x'.repeat(300_000) };
    const run = await control.run({ output });
    await control.idle();
    const event = JSON.parse(listener.arrivals[0]?.body.toString('utf8') ?? '');
    expect(event.data.run).toMatchObject({ id: run.id, outputOmitted: true });
    const { appUrl, world } = control.server;
    const response = await fetch(`${appUrl}/api/v1/runs/${run.id}`, {
      headers: { authorization: `Bearer ${world.keys.wildcard}` },
    });
    expect(await response.json()).toMatchObject({ id: run.id, output });
  });

  test('are created in any status, with the times that it implies', async () => {
    const control = await startControlled();
    const now = '2026-07-01T00:00:00.000Z';
    const times = async (status: string): Promise<(string | null)[]> => {
      const run = await control.run({ status });
      return [run.status, run.startedAt, run.completedAt];
    };
    expect(await times('created')).toEqual(['created', null, null]);
    expect(await times('waiting')).toEqual(['waiting', now, null]);
    expect(await times('completed')).toEqual(['completed', now, now]);
    expect(await times('rejected')).toEqual(['rejected', null, now]);
  });
});
