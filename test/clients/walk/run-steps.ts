import { expect } from 'vitest';

import { note } from './walk.ts';
import type { Steps } from './walk.ts';

export const runSteps: Steps = {
  async 'follows the cursor of a list to its end'({ client }) {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const place: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/runs?status=completed%2Cfailed&limit=3${place}`;
      const { body } = await client.call('GET', path);
      for (const run of body.runs) {
        expect(run).toMatchObject({ finished: true, execution: { status: run.status } });
        ids.push(run.id);
      }
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(ids.length).toBeGreaterThan(3);
    expect(new Set(ids).size).toBe(ids.length);
  },

  async 'cancels a run twice'({ client, world, control }) {
    const run = (await client.call('POST', '/runs', { target: world.fixtures.workflowId })).body;
    const first = await client.call('POST', `/runs/${run.id}/cancel`);
    expect(['cancelled', 'requested']).toContain(first.body.cancellation.state);
    await control.advance(60_000);
    const { status, body } = await client.call('POST', `/runs/${run.id}/cancel`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: run.id,
      finished: true,
      cancellation: { state: 'already_terminal' },
    });
  },

  async 'runs a run again and sees the chain'(walk) {
    const runId = note(walk, 'runId');
    const { status, body } = await walk.client.call('POST', `/runs/${runId}/rerun`);
    expect(status).toBe(201);
    const again = (await walk.client.readUntilFinished(body.id)).body;
    expect(again.execution.retry).toMatchObject({ number: 1, previousRunId: runId });
    const source = (await walk.client.call('GET', `/runs/${runId}`)).body;
    expect(source.execution.retry.nextRun).toMatchObject({ id: body.id, status: 'completed' });
  },

  async 'reads the steps, events, trace and usage of a run'(walk) {
    const { client } = walk;
    const path = `/runs/${note(walk, 'runId')}`;
    expect((await client.call('GET', `${path}/steps`)).body.steps.length).toBeGreaterThan(0);
    const { events } = (await client.call('GET', `${path}/events`)).body;
    expect(events[0]).toMatchObject({ type: 'run.created', timestamp: expect.any(String) });
    expect((await client.call('GET', `${path}/trace`)).body.events).toEqual(expect.any(Array));
    const { usage } = (await client.call('GET', `${path}/usage`)).body;
    expect(usage).toMatchObject({ tokens: { input: expect.any(Number) } });
    expect((await client.call('GET', `${path}/scores`)).body).toEqual({ scores: [] });
  },

  async 'lists the artifacts of a run and downloads one'(walk) {
    const { client } = walk;
    const path = `/runs/${note(walk, 'runId')}/artifacts`;
    const { artifacts } = (await client.call('GET', path)).body;
    const output = artifacts.find((one: { role: string }) => one.role === 'output');
    expect(output.path).toMatch(/^output\//);
    const { bytes } = await client.download(`${path}/${client.writePath(output.path)}`, 'artifact');
    expect(bytes.length).toBe(output.size);
    const archive = await client.download(`${path}?zip=1`, 'archive');
    expect(archive.bytes.subarray(0, 2).toString()).toBe('PK');
  },
};
