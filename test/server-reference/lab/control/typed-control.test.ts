import { createServer, virtualClock } from '@hookproof/server-reference';
import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { expect, onTestFinished, test } from 'vitest';

import { START } from './control-client.ts';

async function started() {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: START }),
  });
  onTestFinished(() => server.close());
  return server;
}

test('server.control has a method for every operation, with parameters and body in one object', async () => {
  const { control, baseUrl } = await started();
  expect(Object.keys(control)).toEqual(
    listControlOperations(loadControl())
      .map(({ operationId }) => operationId)
      .filter((operationId) => operationId !== 'streamActivity'),
  );
  const world = await control.createWorld({ world: { templates: 1 } });
  const run = await control.createRun({
    automationId: (await control.getWorld()).fixtures.workflowId ?? '',
  });
  expect(
    (await control.listRuns({ status: 'pending', order: 'newest', limit: 1 })).data,
  ).toMatchObject([{ id: run.id }]);
  const moved = await control.moveRun({ runId: run.id, status: 'running' });
  expect(moved.status).toBe('running');
  await control.injectApiFault({
    match: { operationId: 'listTemplates' },
    times: 1,
    effect: { status: 503 },
  });
  const headers = { authorization: `Bearer ${world.keys.wildcard}` };
  const statuses = [];
  for (const _ of [1, 2])
    statuses.push((await fetch(`${baseUrl}/v1/templates`, { headers })).status);
  expect(statuses).toEqual([503, 200]);
  expect(await control.deleteWorld({ id: world.id })).toBeUndefined();
  expect((await control.advanceClock({ milliseconds: 1_000 })).now).toBe(
    '2026-07-01T00:00:01.000Z',
  );
});

test('a refused call rejects with its code and what is wrong', async () => {
  const { control } = await started();
  await expect(control.moveRun({ runId: 'exec_x', status: 'running' })).rejects.toMatchObject({
    name: 'ControlError',
    code: 'not_found',
    status: 404,
    message: 'moveRun got 404: runId: no run has this id.',
  });
});
