import { expect } from 'vitest';

import { note } from './walk.ts';
import type { Steps } from './walk.ts';

export const evaluationSteps: Steps = {
  async 'promotes the run to an example'(walk) {
    const { client, world } = walk;
    const path = `/runs/${note(walk, 'runId')}/promote`;
    const { status, body } = await client.call('POST', path, {
      name: 'from the walk',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      automationId: world.fixtures.workflowId,
      automationType: 'workflow',
      name: 'from the walk',
    });
    walk.notes.exampleId = body.exampleId;
  },

  async 'reads, changes and runs the example'(walk) {
    const { client, world } = walk;
    const exampleId = note(walk, 'exampleId');
    const path = `/automations/${world.fixtures.workflowId}/examples/${exampleId}`;
    expect((await client.call('GET', path)).body).toMatchObject({
      id: exampleId,
    });
    const { body } = await client.call('PATCH', path, {
      annotation: 'from a walk',
    });
    expect(body).toMatchObject({
      name: 'from the walk',
      annotation: 'from a walk',
    });
    const run = await client.call('POST', `${path}/run`);
    expect(run).toMatchObject({ status: 201, body: { finished: false } });
    const view = (await client.readUntilFinished(run.body.id)).body;
    expect(view.eval).toMatchObject({ exampleId });
    expect((await client.call('GET', path)).body.latestRunId).toBe(run.body.id);
  },

  async 'runs an experiment over the example and reads its scores'(walk) {
    const { client, world } = walk;
    const automation = `/automations/${world.fixtures.workflowId}`;
    const yaml = 'evaluators:\n  - name: rows\n    type: field_match\n    path: rows\n';
    const written = (await client.call('PUT', `${automation}/evaluators`, { yaml })).body;
    expect(written).toMatchObject({ yaml, config: { evaluators: [{ name: 'rows' }] } });
    const exampleId = note(walk, 'exampleId');
    const path = `${automation}/experiments`;
    const { status, body } = await client.call('POST', path, { examples: [exampleId] });
    expect(status).toBe(202);
    expect(body).toMatchObject({ total: 1, runs: [{ exampleId }] });
    const [run] = body.runs;
    const view = (await client.readUntilFinished(run.id)).body;
    expect(view.execution.batchId).toBe(body.id);
    const { scores } = (await client.call('GET', `/runs/${run.id}/scores`)).body;
    expect(scores).toMatchObject([{ runId: run.id, evaluatorName: 'rows', score: 1 }]);
    const detail = (await client.call('GET', `${path}/${body.id}`)).body;
    expect(detail).toMatchObject({ status: 'completed', runCount: 1, runs: [{ id: run.id }] });
    expect(detail.resultsByRun[run.id]).toEqual(scores);
    walk.notes.experimentId = body.id;
  },

  async 'exports the experiment and cancels it after its end'(walk) {
    const { client, world } = walk;
    const list = `/automations/${world.fixtures.workflowId}/experiments`;
    const path = `${list}/${note(walk, 'experimentId')}`;
    const csv = await client.download(`${path}/export?format=csv`, 'export');
    expect(csv.bytes.toString()).toMatch(
      /^experiment_id,run_id,example_id,evaluator_name,score,passed/,
    );
    const json = await client.download(`${list}/export?format=json`, 'export');
    expect(JSON.parse(json.bytes.toString())).toMatchObject([
      { experiment_id: note(walk, 'experimentId'), evaluator_name: 'rows' },
    ]);
    const { status, body } = await client.call('POST', `${path}/cancel`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'completed', completedCount: 1 });
  },
};
