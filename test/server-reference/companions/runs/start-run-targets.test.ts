import { afterAll, describe, expect, test } from 'vitest';

import type { ApiResponse } from '../../contract-client.ts';
import { openRunApp } from '../../api/runs/run-app.ts';

const { app, control, ask, post, start, startForm, view } = await openRunApp();
afterAll(() => app.close());
const { fixtures, keys } = app.world;
const { workflowId, agentId } = fixtures;

describe('the target of a start', () => {
  test.each([
    ['workflows.invoice-matcher', workflowId],
    ['agents.freight-quote', agentId],
    [workflowId, workflowId],
    [agentId, agentId],
    [`workflows.${workflowId}`, workflowId],
    [`agents.${agentId}`, agentId],
  ])('%s is found', async (target, automationId) => {
    const { status, body } = await start({ target });
    expect([status, body.automationId, body.finished]).toEqual([201, automationId, false]);
  });

  test.each([
    [{ target: 'workflows.invoice-matcher' }, '', '14'],
    [{ target: 'workflows.invoice-matcher' }, '?version=latest', '14'],
    [{ target: 'workflows.invoice-matcher' }, '?version=14', '14'],
    [{ target: 'workflows.invoice-matcher@14' }, '', '14'],
    [{ target: 'workflows.invoice-matcher@14' }, '?version=14', '14'],
    [{ target: 'workflows.invoice-matcher@latest' }, '', '14'],
  ])('%j with %j runs version %s', async (json, query, version) => {
    const { status, body } = await start(json, query);
    expect([status, body.source.version]).toEqual([201, version]);
  });

  test.each([workflowId, agentId])(
    'an earlier version of %s is named by its id, label, git ref or tag',
    async (target) => {
      const { data } = (await ask(`/v1/automations/${target}/versions`)).body;
      const { id, version, sourceRef } = data.find((one: { isCurrent: boolean }) => !one.isCurrent);
      const isOfIt = async ({ body }: ApiResponse): Promise<unknown> =>
        (await ask(`/v1/runs?ids=${body.id}&sourceRef=${id}`)).body.total;
      for (const name of [id, version, sourceRef ?? version, `v${version}`]) {
        expect(await isOfIt(await start({ target }, `?version=${name}`))).toBe(1);
        expect(await isOfIt(await start({ target: `${target}@${name}` }))).toBe(1);
      }
      expect(await isOfIt(await start({ target }))).toBe(0);
    },
  );

  test.each([
    ['?version=', 400, 'version'],
    ['?version=99', 404, 'version'],
    ['?wait_for_completion=-1', 400, 'wait_for_completion'],
    ['?wait_for_completion=601', 400, 'wait_for_completion'],
    ['?wait_for_completion=soon', 400, 'wait_for_completion'],
  ])('%s gets %i on %s', async (query, expected, field) => {
    const { status, body } = await start({ target: workflowId }, query);
    expect([status, body.issues[0].field]).toEqual([expected, field]);
  });

  test.each([
    ['workflows.invoice-matcher@14', '?version=13', 400],
    ['workflows.invoice-matcher@', '', 400],
    ['workflows.invoice-matcher@99', '', 404],
    ['workflows.unknown@14', '', 404],
  ])('%s with %j gets %i', async (target, query, expected) => {
    expect((await start({ target }, query)).status).toBe(expected);
  });
});

describe('the trigger type of a start', () => {
  test.each([
    [{}, 'api'],
    [{ 'x-sdk-trigger': 'cli' }, 'cli'],
    [{ 'x-sdk-trigger': 'api' }, 'api'],
    [{ 'x-sdk-trigger': 'cron' }, 'api'],
    [{ 'x-sdk-version-trigger': 'cli' }, 'api'],
    [{ 'x-sdk-client': 'cli', 'user-agent': 'sdk/1' }, 'api'],
  ])('with the headers %j is %s', async (headers, type) => {
    const { body } = await post('/v1/runs', { target: workflowId }, { headers });
    expect(body.triggerType).toBe(type);
    expect((await view(body.id)).trigger).toMatchObject({ type, by: { id: expect.any(String) } });
  });
});

describe('metadata and overrides', () => {
  test.each([
    [{ steps: { process: { total: 9 } } }, { total: 9 }],
    [{ steps: { 'read-input': { other: 1 } } }, { rows: [{ field: 'other', value: 1 }] }],
    [{ steps: { unknown: { a: 1 } } }, { rows: [{ field: 'a', value: 0 }] }],
    [{}, { rows: [{ field: 'a', value: 0 }] }],
  ])('the overrides %j give the output %j', async (overrides, output) => {
    const { body } = await start({ target: workflowId, input: { a: 0 }, overrides });
    await control.advance(60_000);
    expect((await view(body.id)).output).toEqual(output);
  });

  test('a step with an override has its output at once, and saves no file', async () => {
    const overrides = { steps: { process: { total: 9 }, 'save-output': { saved: false } } };
    const { body } = await start({ target: workflowId, overrides });
    await control.advance(60_000);
    const { steps } = (await ask(`/v1/runs/${body.id}/steps`)).body;
    expect(steps[1]).toMatchObject({ stepName: 'process', output: { total: 9 } });
    expect(steps[1].completedAt).toBe(steps[1].startedAt);
    expect(steps[2]).toMatchObject({ stepName: 'save-output', output: { saved: false } });
    expect((await view(body.id)).files).toEqual([]);
  });

  test('the runs of agents ignore overrides', async () => {
    const overrides = { steps: { process: { total: 9 } } };
    const { body } = await start({ target: agentId, input: { a: 0 }, overrides });
    await control.advance(60_000);
    expect((await view(body.id)).output).toEqual({ rows: [{ field: 'a', value: 0 }] });
  });

  test.each([
    [{ metadata: [] }, 'metadata'],
    [{ overrides: 'x' }, 'overrides'],
    [{ overrides: { steps: { process: 1 } } }, 'overrides.steps.process'],
    [{ files: [] }, 'files'],
  ])('%j gets 400 on %s', async (json, field) => {
    const { status, body } = await start({ target: workflowId, ...json });
    expect([status, body.issues[0].field]).toEqual([400, field]);
  });
});

describe('a form', () => {
  const texts = [
    { name: 'target', bytes: 'workflows.invoice-matcher' },
    { name: 'input', bytes: '{"a":1}', type: 'application/json' },
    { name: 'metadata', bytes: '{"b":2}' },
  ];
  const file = {
    name: 'files.doc',
    filename: 'scan one.json',
    type: 'application/json',
    bytes: '{}',
  };

  test.each([
    ['texts first', [...texts, file]],
    ['the file first', [file, ...texts]],
  ])('starts a run with %s', async (_order, parts) => {
    const { status, body } = await startForm(parts, '?version=14');
    expect([status, body.finished]).toEqual([201, false]);
    expect((await view(body.id, '?expand=input')).input).toEqual({
      args: { a: 1, doc: { $file: 'input/scan one.json' } },
      metadata: { b: 2 },
    });
  });

  test('the same field again makes an array, and a file goes before the input', async () => {
    const { body } = await startForm([
      { name: 'target', bytes: 'workflows.invoice-matcher' },
      { name: 'input', bytes: '{"docs":"lost","kept":true}' },
      { name: 'files.docs', filename: 'a.txt', bytes: '1' },
      { name: 'files.docs', filename: 'a.txt', bytes: '2' },
      { name: 'files.docs', filename: 'a.txt', bytes: '3' },
      { name: 'files.one', bytes: '4' },
      { name: 'files.two', filename: '', bytes: '5' },
    ]);
    expect((await view(body.id, '?expand=input')).input.args).toEqual({
      kept: true,
      docs: [
        { $file: 'input/a.txt' },
        { $file: 'input/docs/a.txt' },
        { $file: 'input/docs-2/a.txt' },
      ],
      one: { $file: 'input/file' },
      two: { $file: 'input/two/file' },
    });
    const bytes = await Promise.all(
      ['a.txt', 'docs/a.txt', 'docs-2/a.txt', 'file'].map(async (path) =>
        (await ask(`/v1/runs/${body.id}/artifacts/input/${path}`)).bytes.toString(),
      ),
    );
    expect(bytes).toEqual(['1', '2', '3', '4']);
  });

  test.each([
    [[{ name: 'input', bytes: '{}' }], 'target'],
    [[...texts.slice(0, 1), { name: 'input', bytes: 'text' }], 'input'],
    [[...texts.slice(0, 1), { name: 'input', bytes: '[1]' }], 'input'],
    [[...texts.slice(0, 1), { name: 'overrides', bytes: '"x"' }], 'overrides'],
    [[...texts.slice(0, 1), { name: 'metadata', bytes: 'null' }], 'metadata'],
  ])('%j gets 400 on %s, and starts nothing', async (parts, field) => {
    const before = (await ask('/v1/runs')).body.total;
    const { status, body } = await startForm(parts);
    expect([status, body.issues[0].field]).toEqual([400, field]);
    expect((await ask('/v1/runs')).body.total).toBe(before);
  });

  test('above the upload limit gets 413', async () => {
    const large = { ...file, bytes: Buffer.alloc(1_048_577) };
    expect((await startForm([...texts, large])).status).toBe(413);
  });
});

test('a start that is repeated after an injected 503 has changed nothing the first time', async () => {
  const before = (await ask('/v1/runs')).body.total;
  const match = { operationId: 'startRun', key: keys.wildcard };
  await control.expectOk(201, '/api-faults', { match, times: 1, effect: { status: 503 } });
  expect((await start({ target: workflowId })).status).toBe(503);
  expect((await ask('/v1/runs')).body.total).toBe(before);
  expect((await start({ target: workflowId })).status).toBe(201);
  expect((await ask('/v1/runs')).body.total).toBe(before + 1);
});
