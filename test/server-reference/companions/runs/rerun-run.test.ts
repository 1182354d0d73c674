import { afterAll, expect, test } from 'vitest';

import { openRunApp } from '../../api/runs/run-app.ts';

const { app, control, ask, post, start, run, view, upload } = await openRunApp();
afterAll(() => app.close());
const { fixtures } = app.world;

test('a rerun has the input, files, overrides and metadata of its source, and points at it', async () => {
  const id = await run({
    input: { doc: { $fileId: await upload('a.json', '{"a":1}') }, more: 1 },
    overrides: { steps: { process: { total: 3 } } },
    metadata: { ticket: 7 },
  });
  const { status, body } = await post(`/v1/runs/${id}/rerun`);
  expect(status).toBe(201);
  expect(body).toMatchObject({ type: 'workflow', status: 'pending', finished: false });
  expect(body.id).not.toBe(id);
  await control.advance(60_000);
  const again = await view(body.id, '?expand=input');
  expect(again.input).toEqual((await view(id, '?expand=input')).input);
  expect(again.output).toEqual({ total: 3 });
  const path = `/v1/runs/${body.id}/artifacts/input/a.json`;
  expect((await ask(path)).bytes.toString()).toBe('{"a":1}');
});

async function retry(id: string): Promise<unknown> {
  return (await view(id)).execution.retry;
}

test('the chain has numbers, the predecessor, and the newest rerun', async () => {
  const first = await run({});
  const second = (await post(`/v1/runs/${first}/rerun`)).body.id;
  const third = (await post(`/v1/runs/${second}/rerun`)).body.id;
  expect(await retry(first)).toEqual({
    number: 0,
    previousRunId: null,
    nextRun: { id: second, status: 'pending' },
  });
  expect(await retry(second)).toMatchObject({
    number: 1,
    previousRunId: first,
    nextRun: { id: third },
  });
  expect(await retry(third)).toEqual({ number: 2, previousRunId: second, nextRun: null });
  const newest = (await post(`/v1/runs/${first}/rerun`)).body.id;
  expect(await retry(first)).toMatchObject({ nextRun: { id: newest } });
});

test('an open run, a seeded run and an evaluation run can be run again, at top level', async () => {
  const open = (
    await start({ target: 'workflows.invoice-matcher', input: { $outcome: 'waiting' } })
  ).body.id;
  const { body } = await ask('/v1/runs?exampleIdContains=ex&limit=1');
  for (const id of [open, fixtures.runId, body.runs[0].id]) {
    const rerun = await post(`/v1/runs/${id}/rerun`);
    expect(rerun.status).toBe(201);
    const { data } = await control.expectOk<{ data: unknown[] }>(
      200,
      `/events?runId=${rerun.body.id}`,
    );
    expect(data).toHaveLength(1);
    expect(await view(rerun.body.id)).not.toHaveProperty('eval');
  }
});

test('version selects the current, the original or another version', async () => {
  const agent = await start({ target: 'agents.freight-quote' }, '?version=main');
  const refOf = async (query: string): Promise<unknown> => {
    const { body } = await post(`/v1/runs/${agent.body.id}/rerun${query}`);
    return (await view(body.id)).source.git.requestedRef;
  };
  expect(await refOf('')).toBeNull();
  expect(await refOf('?version=latest')).toBeNull();
  expect(await refOf('?version=original')).toBe('main');
  const unknown = await post(`/v1/runs/${agent.body.id}/rerun?version=99`);
  expect([unknown.status, unknown.body.issues[0].field]).toEqual([404, 'version']);
});

test('a header names the trigger type of a rerun too', async () => {
  const headers = { 'x-sdk-trigger': 'cli' };
  const { body } = await post(`/v1/runs/${fixtures.runId}/rerun`, undefined, { headers });
  expect((await view(body.id)).trigger.type).toBe('cli');
});

test('a run of an automation without the API trigger gets 403', async () => {
  const { body } = await ask('/v1/runs?source=workflows.bank-statement-import&limit=1');
  const rerun = await post(`/v1/runs/${body.runs[0].id}/rerun`);
  expect([rerun.status, rerun.body.issues[0].code]).toEqual([403, 'api_trigger_disabled']);
});
