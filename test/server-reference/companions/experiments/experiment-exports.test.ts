import { afterAll, describe, expect, test } from 'vitest';

import { datasetOf, refusal } from '../../api/datasets/dataset-app.ts';
import { MINUTE, openExperiments } from './experiment-app.ts';

const { app, clock, dataset, examples, finished } = await openExperiments();
afterAll(() => app.close());
const { fixtures } = app.world;
const { get, post } = dataset;

describe('the export', () => {
  const COLUMNS =
    'experiment_id,run_id,example_id,evaluator_name,score,passed,example_name,run_status,evaluator_type,label,weight,pass_threshold,description,error,created_at';

  test('is a row for each result, as CSV in bytes or as JSON', async () => {
    const { id, resultsByRun } = await finished({ examples: [examples[0]?.id, examples[1]?.id] });
    const results = Object.values<Record<string, unknown>[]>(resultsByRun).flat();
    const csv = await get(`/experiments/${id}/export?format=csv`);
    expect(csv.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${id}.csv"`,
      'x-content-type-options': 'nosniff',
    });
    const [header, ...lines] = csv.bytes.toString().split('\r\n');
    expect([header, lines.length, lines.at(-1)]).toEqual([COLUMNS, results.length + 1, '']);
    const json = await get(`/experiments/${id}/export?format=json&includeTrace=1`);
    expect(json.headers['content-type']).toBe('application/json');
    const rows = JSON.parse(json.bytes.toString());
    expect(rows).toMatchObject(
      results.map((one) => ({
        experiment_id: id,
        run_id: one['runId'],
        evaluator_name: one['evaluatorName'],
        score: one['score'],
        passed: one['passed'],
      })),
    );
    expect(JSON.parse(rows[0].trace)[0]).toMatchObject({ status: 'pending' });
  });

  test('of all experiments is found where an id could be', async () => {
    const { id } = await finished({ examples: [examples[0]?.id] });
    const { status, bytes } = await get('/experiments/export?format=json');
    expect(status).toBe(200);
    const ids = new Set(
      JSON.parse(bytes.toString()).map((row: { experiment_id: string }) => row.experiment_id),
    );
    expect(ids.has(id) && ids.size > 1).toBe(true);
    expect((await get('/experiments/export?format=csv')).bytes.toString()).toContain(id);
  });

  test('keeps formulas and separators in their cells', async () => {
    const other = datasetOf(app, 'workflows.claim-intake');
    const yaml = `evaluators: [{ type: judge, name: '=1+1', description: "a,\\"b\\"\\nc" }, { type: judge, name: '\t-2' }]`;
    await other.put('/evaluators', { yaml });
    await other.post('/examples', { name: '@name', expected: 1 });
    const { id } = (await other.post('/experiments', {})).body;
    await clock.advance(MINUTE);
    const text = (await other.get(`/experiments/${id}/export?format=csv`)).bytes.toString();
    expect(text).toContain(`,'=1+1,`);
    expect(text).toContain(`,'\t-2,`);
    expect(text).toContain(`,'@name,`);
    expect(text).toContain(',"a,""b""\nc",');
  });

  test.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
  ])('has the statuses of runs with includeTrace=%s: %s', async (value, isIncluded) => {
    const { id } = await finished({ examples: [examples[0]?.id] });
    for (const path of [`/experiments/${id}/export`, '/experiments/export']) {
      const csv = await get(`${path}?format=csv&includeTrace=${value}`);
      expect(csv.bytes.toString().split('\r\n')[0]?.endsWith(',trace')).toBe(isIncluded);
      const json = await get(`${path}?format=json&includeTrace=${value}`);
      expect('trace' in JSON.parse(json.bytes.toString())[0]).toBe(isIncluded);
    }
  });

  test.each(['', '?format=xml'])('needs a known format: %j', async (query) => {
    for (const path of ['/experiments/export', `/experiments/${fixtures.experimentId}/export`]) {
      expect(refusal(await get(path + query)).slice(0, 3)).toEqual([
        400,
        'invalid_value',
        'format',
      ]);
    }
  });
});

test('POST …/experiments/stream gives a line for the start, each run that ends, and the end', async () => {
  const chosen = [examples[0]?.id, examples[1]?.id];
  const streaming = post('/experiments/stream', { examples: chosen, batchConcurrency: 1 });
  for (let turn = 0; turn < 30; turn += 1) {
    await get('/experiments?limit=1');
    await clock.advance(1_000);
  }
  const { status, headers, bytes } = await streaming;
  expect(status).toBe(200);
  const lines = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'content-disposition': `attachment; filename="${lines[0].id}.ndjson"`,
    'x-content-type-options': 'nosniff',
  });
  expect(lines.map(({ type }) => type)).toEqual(['started', 'run', 'run', 'completed']);
  expect(lines[0]).toMatchObject({
    total: 2,
    runs: [{ exampleId: chosen[0] }, { exampleId: chosen[1] }],
  });
  expect(lines[1]).toMatchObject({ run: { exampleId: chosen[0], status: 'completed' } });
  expect(lines[1].results).toHaveLength(2);
  expect(lines[3].experiment).toMatchObject({ id: lines[0].id, status: 'completed', runCount: 2 });
});
