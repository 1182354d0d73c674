import { afterAll, describe, expect, test } from 'vitest';

import { openRunApp } from './run-app.ts';

const { app, control, ask, start, view, run } = await openRunApp();
afterAll(() => app.close());
const { fixtures } = app.world;

const SNAPSHOT = [
  'id',
  'automationId',
  'type',
  'status',
  'triggerType',
  'createdAt',
  'startedAt',
  'completedAt',
];

describe('the run view', () => {
  test.each([
    ['created', false],
    ['pending', false],
    ['running', false],
    ['waiting', false],
    ['finalizing', false],
    ['completed', true],
    ['failed', true],
    ['cancelled', true],
    ['rejected', true],
  ])(
    'of a run that is %s has finished: %s, and output, files and error only then',
    async (status, finished) => {
      const snapshot = await control.run({ status });
      const body = await view(snapshot.id);
      expect(body).toMatchObject(snapshot);
      expect(body.finished).toBe(finished);
      expect(body.execution.status).toBe(status);
      expect('output' in body).toBe(finished);
      expect('files' in body).toBe(finished);
      expect('error' in body).toBe(finished);
      expect(body).not.toHaveProperty('outputOmitted');
      if (finished) {
        expect([body.output, body.files]).toEqual([null, []]);
        const hasFailed = status === 'failed' || status === 'rejected';
        expect(body.error).toEqual(hasFailed ? expect.stringMatching(/^The run /) : null);
      }
    },
  );

  test.each([[{ total: 1 }], [[1, 2]], ['text'], [0], [false]])(
    'has the output %j unchanged',
    async (output) => {
      const { id } = await control.run({ status: 'completed', output });
      expect((await view(id)).output).toEqual(output);
    },
  );

  test('has all parts of a workflow run', async () => {
    const body = await view(fixtures.runId);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(SNAPSHOT));
    const { createdAt, startedAt, completedAt } = body;
    expect(body).toMatchObject({
      finished: true,
      timing: {
        createdAt,
        startedAt,
        completedAt,
        durationMs: Date.parse(completedAt) - Date.parse(startedAt),
        cancelRequestedAt: null,
      },
      source: {
        id: fixtures.workflowId,
        name: 'Invoice matcher',
        version: '14',
        versionId: expect.stringMatching(/^ver_/),
        implementationAvailable: true,
        automationFound: true,
        currentVersion: '14',
      },
      trigger: {
        type: 'api',
        by: {
          id: expect.stringMatching(/^user_/),
          name: expect.any(String),
          email: expect.stringContaining('@'),
        },
      },
      execution: {
        status: 'completed',
        schemaValid: true,
        batchId: null,
        retry: { number: 0, previousRunId: null, nextRun: null },
        review: null,
      },
      error: null,
    });
    expect((await ask(`/api/v1/runs/${fixtures.runId}`)).body).toEqual(body);
    const hidden = ['tenantId', 'worldId', 'origin', 'history', 'scheduledTransitions'];
    for (const word of [...hidden, 'eval', 'input', 'usage', 'debug']) {
      expect(body).not.toHaveProperty(word);
    }
    for (const word of ['steps', 'expected', 'definitionSnapshot']) {
      expect(body.execution).not.toHaveProperty(word);
    }
  });

  test('has slug, model and git refs of an agent run, and no version', async () => {
    const { body } = await start({ target: 'agents.freight-quote' }, '?version=main');
    const { source } = await view(body.id);
    expect(source).toMatchObject({
      id: fixtures.agentId,
      name: 'Freight quote agent',
      version: null,
      slug: 'freight-quote',
      model: 'house-model',
      git: {
        requestedRef: 'main',
        resolvedRef: 'main',
        resolvedTag: expect.stringMatching(/^v\d/),
        commitSha: expect.stringMatching(/^[0-9a-f]{12,}$/),
      },
    });
    expect(source).not.toHaveProperty('versionId');
  });

  test('has a sample rank from 0 to below 1 that never changes', async () => {
    const ranks = await Promise.all(
      [1, 2].map(async () => (await view(fixtures.runId)).sampleRank),
    );
    expect(ranks[0]).toBe(ranks[1]);
    const { body } = await ask('/v1/runs?limit=100');
    const all: number[] = body.runs.map((one: { sampleRank: number }) => one.sampleRank);
    expect(all.every((rank) => rank >= 0 && rank < 1)).toBe(true);
    expect(new Set(all).size).toBe(all.length);
  });

  test.each([
    ['cron', null],
    ['email', null],
    ['manual', expect.objectContaining({ id: expect.stringMatching(/^user_/) })],
  ])('names the user of a seeded run by %s: %j', async (trigger, by) => {
    const { body } = await ask(`/v1/runs?trigger=${trigger}&limit=1`);
    expect(body.runs[0].trigger).toMatchObject({ type: trigger, by });
  });

  test('has the e-mail of an agent run by e-mail', async () => {
    const { body } = await ask('/v1/runs?trigger=email&type=agent&limit=1');
    expect(body.runs[0].trigger.email).toMatchObject({ messageId: expect.any(String) });
  });

  test.each([
    [{ matched: 2 }, true],
    [{ matched: 'two' }, false],
    [[], false],
    [null, false],
  ])('of the output %j says schemaValid: %s', async (output, schemaValid) => {
    const { id } = await control.run({ status: 'completed', output });
    expect((await view(id)).execution.schemaValid).toBe(schemaValid);
  });

  test('has eval of an evaluation run only', async () => {
    const { body } = await ask('/v1/runs?exampleIdContains=ex_&limit=1');
    const [row] = body.runs;
    expect(row.eval).toEqual({
      example: fixtures.exampleId,
      exampleId: fixtures.exampleId,
      score: null,
      passed: null,
    });
    expect(row.execution.batchId).toMatch(/^exp_/);
    const bare = await control.run({ origin: 'evaluation', automationId: fixtures.agentId });
    expect((await view(bare.id)).eval).toEqual({ example: null, score: null, passed: null });
  });

  test('has the review in short, and whole with expand=execution', async () => {
    const short = (await view(fixtures.reviewedRunId)).execution.review;
    expect(short).toEqual({
      verdict: 'incorrect',
      status: 'open',
      hasNote: true,
      correctionCount: 3,
    });
    const { execution } = await view(fixtures.reviewedRunId, '?expand=execution');
    expect(execution.review).toMatchObject({ verdict: 'incorrect', corrections: [{}, {}, {}] });
    expect(execution.expected).toEqual({
      output: { matched: 1, differing: [], supplier: 'Ostrava Steel' },
      files: [{ name: 'corrected/matched-invoices.csv' }],
    });
  });

  test.each(['__proto__', 'constructor', 'a%2Fb', '%00'])('is unknown for %s', async (id) => {
    const { status, body } = await ask(`/v1/runs/${id}`);
    expect([status, body.issues[0].field, body.issues[0].code]).toEqual([404, 'id', 'not_found']);
  });
});

describe('expand', () => {
  test.each([
    ['input', ['input']],
    ['usage', ['usage']],
    ['debug', ['debug']],
    ['debug,input,usage', ['debug', 'input', 'usage']],
    ['usage%2Cinput', ['input', 'usage']],
    ['nothing,,usage', ['usage']],
    ['', []],
  ])('expand=%s adds %j', async (words, added) => {
    const plain = await view(fixtures.runId);
    const expanded = await view(fixtures.runId, `?expand=${words}`);
    const names = Object.keys(expanded).filter((name) => !(name in plain));
    expect(names.toSorted()).toEqual(added);
  });

  test('input has the stored input and metadata, and names of files on agents only', async () => {
    const metadata = { ticket: 7 };
    const workflow = await run({ input: { a: 1 }, metadata });
    expect((await view(workflow, '?expand=input')).input).toEqual({ args: { a: 1 }, metadata });
    const inline = { $inline: { filename: 'a.txt', mimeType: 'text/plain', base64: 'YQ==' } };
    const agent = await run({ target: 'agents.freight-quote', files: { mail: inline } });
    expect((await view(agent, '?expand=input')).input).toEqual({
      args: { mail: { $file: 'input/a.txt' } },
      files: [{ name: 'a.txt' }],
    });
  });

  test('usage equals the usage below the run', async () => {
    const { usage } = (await ask(`/v1/runs/${fixtures.runId}/usage`)).body;
    expect((await view(fixtures.runId, '?expand=usage')).usage).toEqual(usage);
  });

  test('execution adds steps and definition to a workflow, and files to an agent', async () => {
    const { execution } = await view(fixtures.runId, '?expand=execution');
    expect(execution.steps).toEqual((await ask(`/v1/runs/${fixtures.runId}/steps`)).body.steps);
    expect(execution.definitionSnapshot.steps).toHaveLength(3);
    const agent = await run({ target: 'agents.freight-quote' });
    const ofAgent = (await view(agent, '?expand=execution')).execution;
    expect(ofAgent.files).toEqual({ output: [{ name: 'result.json' }] });
    expect(ofAgent).not.toHaveProperty('steps');
  });

  test('execution of an evaluation run has what its example expects', async () => {
    const { body } = await ask(`/v1/runs?exampleId=${fixtures.exampleId}&status=completed`);
    const { execution } = await view(body.runs[0].id, '?expand=execution');
    expect(execution.expected.files).toEqual(
      expect.arrayContaining([{ name: fixtures.expectedFilePath }]),
    );
  });

  test('debug has a trace id on workflows only', async () => {
    const { debug } = await view(fixtures.runId, '?expand=debug');
    expect(debug).toEqual({ observability: expect.any(Object), traceId: expect.any(String) });
    const agent = await run({ target: 'agents.freight-quote' });
    expect((await view(agent, '?expand=debug')).debug).not.toHaveProperty('traceId');
  });
});
