import { afterAll, describe, expect, test } from 'vitest';

import { openRunApp } from '../../api/runs/run-app.ts';
import type { ApiResponse } from '../../contract-client.ts';

const { app, control, ask, start, run } = await openRunApp();
afterAll(() => app.close());

interface Step {
  readonly stepName: string;
  readonly status: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

async function stepsOf(id: string): Promise<Step[]> {
  return (await ask(`/v1/runs/${id}/steps`)).body.steps;
}

async function statusesOf(id: string): Promise<string[]> {
  return (await stepsOf(id)).map(({ status }) => status);
}

describe('steps', () => {
  test('of a workflow can be read while it runs', async () => {
    const { body } = await start({ target: 'workflows.invoice-matcher', input: { a: 1 } });
    const seen = new Set<string>();
    for (let tick = 0; tick < 40; tick += 1) {
      seen.add((await statusesOf(body.id)).join());
      await control.advance(100);
    }
    expect([...seen]).toEqual([
      'pending,pending,pending',
      'running,pending,pending',
      'completed,running,pending',
      'completed,completed,running',
      'completed,completed,completed',
    ]);
    const [read, process, save] = await stepsOf(body.id);
    expect(read).toMatchObject({ stepName: 'read-input', output: { a: 1 } });
    expect(process).toMatchObject({
      stepName: 'process',
      startedAt: read?.completedAt,
      output: { rows: [{ field: 'a', value: 1 }] },
    });
    expect(save).toMatchObject({
      stepName: 'save-output',
      startedAt: process?.completedAt,
      output: { files: ['result.json'] },
    });
  });

  test('of an agent are its turns, which share the time of its main work', async () => {
    const id = await run({ target: 'agents.freight-quote', input: { a: 1, b: 2 } });
    const turns = await stepsOf(id);
    expect(turns.map(({ stepName }) => stepName)).toEqual(['turn-1', 'turn-2', 'turn-3']);
    for (const [index, turn] of turns.entries()) {
      expect(turn.status).toBe('completed');
      const next = turns[index + 1];
      if (next !== undefined) expect(next.startedAt).toBe(turn.completedAt);
    }
  });

  test.each([
    ['failed', ['completed', 'failed', 'skipped']],
    ['waiting', ['completed', 'waiting', 'pending']],
    ['rejected', ['skipped', 'skipped', 'skipped']],
  ])('of a workflow that is %s are %j', async (outcome, statuses) => {
    const id = await run({ input: { $outcome: outcome } });
    expect(await statusesOf(id)).toEqual(statuses);
  });

  test('of a failed workflow name the error of the run', async () => {
    const id = await run({ input: { $outcome: 'failed' } });
    expect((await stepsOf(id))[1]).toMatchObject({ error: 'the step process failed' });
    expect((await ask(`/v1/runs/${id}`)).body.error).toBe('The run failed in process.');
  });

  test.each(['completed', 'failed', 'cancelled'])(
    'of a run that was created as %s exist',
    async (status) => {
      const { id } = await control.run({ status });
      expect(await stepsOf(id)).toHaveLength(3);
    },
  );
});

describe('events and trace', () => {
  test('events are oldest first: one for each status', async () => {
    const id = await run({});
    const { events } = (await ask(`/v1/runs/${id}/events`)).body;
    expect(events.map(({ type, status }: Record<string, string>) => [type, status])).toEqual([
      ['run.created', 'pending'],
      ['run.status_changed', 'running'],
      ['run.status_changed', 'finalizing'],
      ['run.status_changed', 'completed'],
    ]);
    const times = events.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(times).toEqual(times.toSorted());
  });

  test.each([
    ['workflows.invoice-matcher', 'step', ['read-input', 'process', 'save-output']],
    ['agents.freight-quote', 'turn', ['turn-1']],
  ])('the trace of %s has phases and each %s, in time order', async (target, type, names) => {
    const id = await run({ target, input: {} });
    const { events } = (await ask(`/v1/runs/${id}/trace`)).body;
    const parts = events.filter((one: { type: string }) => one.type === type);
    expect(parts.map(({ stepName }: Step) => stepName)).toEqual(names);
    const phases = events.filter((one: { type: string }) => one.type === 'phase');
    expect(phases.map(({ phase }: { phase: string }) => phase)).toEqual([
      ...(type === 'turn' ? ['preparing'] : []),
      'queued',
      'running',
      'finalizing',
      'ended',
    ]);
    const times = events.map(({ startedAt }: Step) => startedAt);
    expect(times).toEqual(times.toSorted());
  });
});

describe('reads below a run', () => {
  test.each(['steps', 'events', 'trace', 'scores', 'artifacts', 'usage'])(
    '%s exist for a seeded run of each type and status',
    async (part) => {
      const runs: { id: string; type: string; status: string }[] = (await ask('/v1/runs?limit=100'))
        .body.runs;
      const different = new Map(runs.map((one) => [`${one.type} ${one.status}`, one.id]));
      for (const id of different.values())
        expect((await ask(`/v1/runs/${id}/${part}`)).status).toBe(200);
    },
  );

  test.each([
    ['scores', { scores: [] }],
    ['artifacts', { artifacts: [] }],
  ])('%s of a new run are empty', async (part, empty) => {
    const { id } = await control.run();
    expect((await ask(`/v1/runs/${id}/${part}`)).body).toEqual(empty);
  });

  test('usage has a number in every member, before the start too', async () => {
    const { id } = await control.run();
    const { usage } = (await ask(`/v1/runs/${id}/usage`)).body;
    const { tokens, ...counts } = usage;
    for (const value of [...Object.values(tokens), ...Object.values(counts)]) {
      expect(value).toBe(0);
    }
  });
});

async function statsOf(slug: string): Promise<ApiResponse['body']> {
  return (await ask(`/api/v1/agents?slug=${slug}`)).body.data[0].stats;
}

test('the statistics of an agent follow its runs', async () => {
  const before = await statsOf('freight-quote');
  const { body } = await start({ target: 'agents.freight-quote' });
  expect(await statsOf('freight-quote')).toMatchObject({
    totalExecutions: before.totalExecutions + 1,
    lastExecutionAt: body.createdAt,
    avgDurationMs: before.avgDurationMs,
  });
  await control.advance(60_000);
  const after = await statsOf('freight-quote');
  expect(after.avgDurationMs).not.toBe(before.avgDurationMs);
  expect(after.avgCredits).not.toBe(before.avgCredits);
});
