import { afterAll, describe, expect, test } from 'vitest';

import { datasetOf, refusal } from '../../api/datasets/dataset-app.ts';
import { call } from '../../contract-client.ts';
import { send } from '../../send.ts';
import { MINUTE, openExperiments, YAML } from './experiment-app.ts';

const { app, clock, dataset, examples, start, finished } = await openExperiments();
afterAll(() => app.close());
const { fixtures, keys } = app.world;
const { get, post, automationId } = dataset;

async function events(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${app.controlToken}` };
  const { bytes } = await send(app.listener, { method: 'GET', path: '/_control/events', headers });
  return JSON.parse(bytes.toString()).data;
}

/** The scores of an experiment by example. */
async function outcome(): Promise<unknown> {
  const { runs, resultsByRun } = await finished();
  return runs.map(({ id, exampleId }: { id: string; exampleId: string }) => [
    exampleId,
    resultsByRun[id].map(({ score }: { score: number }) => score),
  ]);
}

describe('POST …/experiments', () => {
  test('runs the whole dataset on the clock, and ends when its last run has ended', async () => {
    const started = await start();
    expect(started).toEqual({
      id: expect.stringMatching(/^exp_/),
      runs: examples.map(({ id }) => ({ id: expect.stringMatching(/^exec_/), exampleId: id })),
      total: examples.length,
    });
    const path = `/experiments/${started.id}`;
    const queued = (await get(path)).body;
    expect(queued).toMatchObject({
      id: started.id,
      automationId,
      automationType: 'workflow',
      status: 'queued',
      runCount: examples.length,
      completedCount: 0,
      avgScore: null,
      completedAt: null,
      version: '31',
    });
    await clock.advance(700);
    expect((await get(path)).body.status).toBe('running');
    await clock.advance(10_000);
    const { runs, resultsByRun, ...experiment } = (await get(path)).body;
    const last = runs.map(({ completedAt }: { completedAt: string }) => completedAt).toSorted();
    expect(experiment).toMatchObject({ status: 'completed', completedAt: last.at(-1) });
    expect(experiment.passedCount + experiment.failedCount).toBeLessThanOrEqual(examples.length);
    expect(runs).toEqual(
      started.runs.map(({ id }: { id: string }, index: number) => ({
        id,
        status: 'completed',
        exampleId: examples[index]?.id,
        exampleName: examples[index]?.name,
        createdAt: queued.createdAt,
        completedAt: expect.any(String),
      })),
    );
    expect(Object.keys(resultsByRun)).toEqual(runs.map(({ id }: { id: string }) => id));
  });

  test.each([
    ['ids', () => [examples[1]?.id, examples[0]?.id]],
    ['names, whatever their case', () => [examples[1]?.name.toUpperCase(), examples[0]?.name]],
    ['repeated', () => [examples[1]?.id, examples[1]?.name, examples[0]?.id]],
  ])('runs chosen examples: %s', async (_how, chosen) => {
    const { runs } = await start({ examples: chosen() });
    expect(runs.map((one: { exampleId: string }) => one.exampleId)).toEqual([
      examples[1]?.id,
      examples[0]?.id,
    ]);
  });

  test('ends at once without examples', async () => {
    const { id, total } = await start({ examples: [] });
    expect(total).toBe(0);
    const { body } = await get(`/experiments/${id}`);
    expect(body).toMatchObject({ status: 'completed', runCount: 0, completedAt: body.createdAt });
  });

  test('runs at most batchConcurrency examples at the same time', async () => {
    const { id } = await start({ batchConcurrency: 2 });
    let most = 0;
    for (let step = 0; step < 50; step += 1) {
      await clock.advance(500);
      const { runs } = (await get(`/experiments/${id}`)).body;
      const busy = runs.filter(({ status }: { status: string }) =>
        ['running', 'finalizing'].includes(status),
      );
      most = Math.max(most, busy.length);
    }
    expect(most).toBe(2);
    expect((await get(`/experiments/${id}`)).body.status).toBe('completed');
  });

  test('evaluates the version that sourceRef names', async () => {
    const { id, runs } = await start({ sourceRef: '30', examples: [examples[0]?.id] });
    expect((await get(`/experiments/${id}`)).body.version).toBe('30');
    expect((await get(`/v1/runs/${runs[0].id}`)).body.source).toMatchObject({ version: '30' });
  });

  test('takes latest for the current version, as a start of a run does', async () => {
    const agent = datasetOf(app, fixtures.agentId);
    const [{ body: experiment }, { body: run }] = await Promise.all([
      agent.post('/experiments', { sourceRef: 'latest' }),
      agent.post('/v1/runs?version=latest', { target: fixtures.agentId }),
    ]);
    await clock.advance(MINUTE);
    const { source } = (await get(`/v1/runs/${experiment.runs[0].id}`)).body;
    expect(source).toEqual((await get(`/v1/runs/${run.id}`)).body.source);
    expect((await get('/v1/runs?sourceRef=latest')).body.runs).toEqual([]);
  });

  test.each([
    [
      'an unknown example',
      { examples: ['ex_no'] },
      404,
      'examples[0]',
      'the automation has no dataset example with this id or name',
    ],
    [
      'an example of another tenant',
      { examples: [examples[0]?.id, fixtures.otherTenantExampleId] },
      404,
      'examples[1]',
      'the automation has no dataset example with this id or name',
    ],
    [
      'an unknown version',
      { sourceRef: '999' },
      404,
      'sourceRef',
      'the automation has no version with this label, id or git ref',
    ],
    [
      'no concurrency',
      { batchConcurrency: 0 },
      400,
      'batchConcurrency',
      'must be an integer from 1 to 9007199254740991, got 0',
    ],
    ['examples that are no list', { examples: 'all' }, 400, 'examples', 'must be array, got "all"'],
  ])('refuses %s, and starts no run', async (_what, body, status, field, message) => {
    const before = (await get('/experiments')).body.total;
    const code = status === 404 ? 'not_found' : 'invalid_value';
    expect(refusal(await post('/experiments', body))).toEqual([status, code, field, message]);
    expect((await get('/experiments')).body.total).toBe(before);
  });

  test('refuses an automation without an implementation with 409', async () => {
    const response = await post('/v1/automations/workflows.fax-intake/experiments', {});
    expect(refusal(response)).toEqual([
      409,
      'implementation_missing',
      'id',
      'the automation has no implementation',
    ]);
  });

  test('emits no event', async () => {
    const before = (await events()).length;
    await finished();
    expect(await events()).toHaveLength(before);
  });
});

describe('the runs of an experiment', () => {
  test('are listed among runs, with their experiment and example', async () => {
    const { id, runs } = await start({ examples: [examples[0]?.id] });
    const { body } = await get(`/v1/runs?batchId=${id}`);
    expect(body.runs).toMatchObject([{ id: runs[0].id, execution: { batchId: id } }]);
    const view = (await get(`/v1/runs/${runs[0].id}?expand=input`)).body;
    expect(view).toMatchObject({
      eval: { example: examples[0]?.id, exampleId: examples[0]?.id, score: null, passed: null },
      input: { args: { document: { $file: 'input/note.pdf' } } },
    });
    const shown = (await get(`/examples/${examples[0]?.id}`)).body;
    expect(shown.latestRunId).toBe(runs[0].id);
  });

  test('are judged by the evaluators of the automation, the same in run and experiment', async () => {
    const { runs, resultsByRun, avgScore, passedCount, failedCount } = await finished();
    const averages: number[] = [];
    for (const { id, exampleId } of runs) {
      const example = (await get(`/examples/${exampleId}`)).body;
      const view = (await get(`/v1/runs/${id}`)).body;
      const isEqual = JSON.stringify(view.output) === JSON.stringify(example.expected);
      const results = resultsByRun[id];
      expect((await get(`/v1/runs/${id}/scores`)).body).toEqual({ scores: results });
      if (example.expected === null) {
        expect(results[0]).toMatchObject({
          score: null,
          passed: null,
          error: 'the example has no expected output',
        });
        expect(view.eval).toMatchObject({ score: null, passed: null });
        continue;
      }
      expect(results[0]).toEqual({
        id: expect.stringMatching(/^result_/),
        runId: id,
        automationId,
        evaluatorName: 'exact_match',
        evaluatorType: 'exact_match',
        score: isEqual ? 1 : 0,
        passed: isEqual,
        label: isEqual ? 'pass' : 'fail',
        weight: 3,
        passThreshold: 1,
        description: null,
        details: { differences: expect.any(Array) },
        error: null,
        createdAt: view.completedAt,
      });
      expect(results[1]).toMatchObject({
        evaluatorName: 'carrier',
        score: view.output.carrier === example.expected.carrier ? 1 : 0,
        description: 'The first line.',
        details: { expected: example.expected.carrier, actual: view.output.carrier },
      });
      const average = (3 * results[0].score + results[1].score) / 4;
      expect(view.eval).toMatchObject({ score: average, passed: average >= 0.6 });
      averages.push(average);
    }
    const mean = averages.reduce((sum, one) => sum + one, 0) / averages.length;
    expect(avgScore).toBeCloseTo(mean, 4);
    expect(passedCount).toBe(averages.filter((one) => one >= 0.6).length);
    expect(failedCount).toBe(averages.length - passedCount);
    expect(new Set(averages).size).toBeGreaterThan(1);
  });

  test('have the same outputs and scores in the next experiment of the version', async () => {
    expect(await outcome()).toEqual(await outcome());
  });

  test('are not judged if they fail, and count as failed', async () => {
    const other = datasetOf(app, 'workflows.customs-declaration');
    await other.put('/evaluators', { yaml: YAML });
    await other.post('/examples', { input: { $outcome: 'failed' }, expected: 1 });
    const { id } = (await other.post('/experiments', {})).body;
    await clock.advance(MINUTE);
    const { body } = await other.get(`/experiments/${id}`);
    expect(body).toMatchObject({
      status: 'completed',
      completedCount: 1,
      failedCount: 1,
      passedCount: 0,
      avgScore: null,
    });
    expect(Object.values(body.resultsByRun)).toEqual([[]]);
  });
});

describe('POST …/examples/{exampleId}/run', () => {
  test('starts an evaluation run outside an experiment', async () => {
    const example = `/examples/${examples[0]?.id}`;
    const { status, body } = await post(`${example}/run`);
    expect([status, body]).toEqual([
      201,
      { id: expect.stringMatching(/^exec_/), type: 'workflow', batchId: null, finished: false },
    ]);
    expect((await get(example)).body.latestRunId).toBe(body.id);
    await clock.advance(MINUTE);
    const view = (await get(`/v1/runs/${body.id}`)).body;
    expect(view).toMatchObject({ finished: true, execution: { batchId: null } });
    expect(view.eval.score).toEqual(expect.any(Number));
  });

  test('names the example of an agent', async () => {
    const agent = datasetOf(app, 'agents.freight-quote');
    const [example] = (await agent.get('/examples')).body.data;
    const { body } = await agent.post(`/examples/${example.id}/run`);
    expect(body.type).toBe('agent');
    expect((await get(`/v1/runs/${body.id}`)).body.eval).toMatchObject({ example: example.name });
  });
});

describe('POST …/cancel', () => {
  test('cancels what has not ended, soon where it has started, and can be repeated', async () => {
    const { id } = await start({ batchConcurrency: 1 });
    await clock.advance(5_000);
    const { status, body } = await post(`/experiments/${id}/cancel`);
    expect(status).toBe(200);
    const statuses = body.runs.map((run: { status: string }) => run.status);
    expect(statuses.filter((one: string) => one === 'cancelled').length).toBe(examples.length - 2);
    await clock.advance(1_000);
    const again = (await post(`/experiments/${id}/cancel`)).body;
    expect(again).toMatchObject({ status: 'completed', completedCount: examples.length });
    expect(new Set(again.runs.map((run: { status: string }) => run.status))).toEqual(
      new Set(['completed', 'cancelled']),
    );
    expect((await post(`/experiments/${id}/cancel`)).body).toEqual(again);
  });
});

describe('GET …/experiments', () => {
  test('lists the newest first, and pages up to 500', async () => {
    await start({ examples: [] });
    await clock.advance(MINUTE);
    const { id } = await start({ examples: [] });
    const { body } = await get('/experiments?limit=500');
    expect(body).toMatchObject({ limit: 500, offset: 0, total: body.data.length });
    expect(body.data[0]).toMatchObject({ id, runCount: 0 });
    expect(body.data[0]).not.toHaveProperty('runs');
    const times = body.data.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await get('/experiments?limit=1&offset=1')).body.data).toEqual([body.data[1]]);
    expect(refusal(await get('/experiments?limit=501')).slice(0, 3)).toEqual([
      400,
      'invalid_value',
      'limit',
    ]);
  });

  test('filters by the time of creation, absolute or relative', async () => {
    await clock.advance(MINUTE);
    const from = new Date(clock.now()).toISOString();
    const { id } = await start({ examples: [] });
    const listed = async (query: string): Promise<string[]> =>
      (await get(`/experiments?${query}`)).body.data.map((one: { id: string }) => one.id);
    expect(await listed(`fromDate=${from}`)).toEqual([id]);
    expect(await listed('fromDate=now')).toEqual([id]);
    expect(await listed('toDate=now-1m')).not.toContain(id);
    expect(await listed('fromDate=now-30d&toDate=now')).toContain(id);
    expect(refusal(await get('/experiments?fromDate=soon')).slice(0, 3)).toEqual([
      400,
      'invalid_value',
      'fromDate',
    ]);
  });
});

test('an experiment of another automation is unknown', async () => {
  const { workflowId, experimentId } = fixtures;
  const path = `/v1/automations/${workflowId}/experiments/${experimentId}`;
  const key = keys.wildcard;
  const responses = [
    await call(app.listener, { path, key }),
    await call(app.listener, { path: `${path}/export?format=csv`, key }),
    await call(app.listener, { path: `${path}/cancel`, method: 'POST', key }),
  ];
  expect(responses.map((one) => refusal(one).slice(0, 3))).toEqual(
    responses.map(() => [404, 'not_found', 'experimentId']),
  );
});
