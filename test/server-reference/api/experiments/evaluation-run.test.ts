import { afterAll, expect, test } from 'vitest';

import { openRunApp } from '../runs/run-app.ts';

const { app, control, ask, post, view } = await openRunApp();
afterAll(() => app.close());
const { datasetAutomationId, exampleId } = app.world.fixtures;

test('an evaluation run has its example, and scores when it has ended, and sends no event', async () => {
  const { status, body } = await post(
    `/v1/automations/${datasetAutomationId}/examples/${exampleId}/run`,
  );
  expect(status).toBe(201);
  const { id } = body;
  expect((await view(id)).eval).toEqual({
    example: exampleId,
    exampleId,
    score: null,
    passed: null,
  });
  expect((await ask(`/v1/runs/${id}/scores`)).body).toEqual({ scores: [] });
  await control.advance(60_000);
  const run = await view(id, '?expand=execution');
  expect(run.finished).toBe(true);
  expect(run.execution.expected.files).not.toEqual([]);
  const { scores } = (await ask(`/v1/runs/${id}/scores`)).body;
  for (const score of scores) {
    expect(score).toMatchObject({ runId: id, automationId: datasetAutomationId });
  }
  const numbers: number[] = scores.flatMap(({ score }: { score: number | null }) => score ?? []);
  expect(run.eval.score === null).toBe(numbers.length === 0);
  const { data } = await control.expectOk<{ data: unknown[] }>(200, `/events?runId=${id}`);
  expect(data).toEqual([]);
  expect((await ask(`/v1/runs?exampleId=${exampleId}&ids=${id}`)).body.total).toBe(1);
});
