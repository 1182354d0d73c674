import type { World } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

import { openControlled } from './control-client.ts';

describe('runs', () => {
  test('need an automation of their world', async () => {
    const control = await openControlled();
    const { id, fixtures } = await control.expectOk<World>(201, '/worlds', {});
    const { workflowId } = control.app.world.fixtures;
    const json = { worldId: id, automationId: workflowId };
    const { issues } = await control.expectError(404, '/runs', { json });
    expect(issues[0]).toMatchObject({ field: 'automationId', code: 'not_found' });
    expect((await control.run({ worldId: id })).automationId).toBe(fixtures.workflowId);
  });

  test('refuse a move outside the graph with 409, both statuses and the allowed ones', async () => {
    const control = await openControlled();
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

  test('are created in any status, with the times that it implies', async () => {
    const control = await openControlled();
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
