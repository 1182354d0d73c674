import { expect } from 'vitest';

import type { FormPart } from './client.ts';
import { note, startAndWait } from './walk.ts';
import type { Steps } from './walk.ts';

const SCAN: FormPart = {
  name: 'files.scan',
  filename: 'scan.json',
  type: 'application/json',
  bytes: Buffer.from('{"page":1}'),
};

const ACCEPTED = { id: expect.stringMatching(/^exec_/), type: 'workflow', finished: false };

export const startSteps: Steps = {
  async 'starts a run with a file, by the id behind its prefix'(walk) {
    const { client, world } = walk;
    const { status, body } = await client.call('POST', '/runs', {
      target: `workflows.${world.fixtures.workflowId}`,
      input: { document: { $fileId: note(walk, 'fileId') } },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject(ACCEPTED);
    const view = (await client.call('GET', `/runs/${body.id}?expand=input`)).body;
    expect(view.input.args).toEqual({ document: { $file: 'input/carrier.json' } });
    expect(view.trigger).toMatchObject({ type: 'cli' });
  },

  async 'starts a run by a form, the file before and after its texts'({ client, world }) {
    const texts: FormPart[] = [
      { name: 'target', text: `workflows.${world.fixtures.workflowSlug}` },
      { name: 'input', text: JSON.stringify({ order: 7 }) },
      { name: 'metadata', text: JSON.stringify({ batch: 'spring' }) },
    ];
    for (const parts of [
      [SCAN, ...texts],
      [...texts, SCAN],
    ]) {
      const { status, body } = await client.sendForm('/runs', parts);
      expect(status).toBe(201);
      const { input } = (await client.call('GET', `/runs/${body.id}?expand=input`)).body;
      expect(input).toMatchObject({
        args: { order: 7, scan: { $file: 'input/scan.json' } },
        metadata: { batch: 'spring' },
      });
    }
  },

  async 'waits for the end of a run'(walk) {
    const started = walk.client.call('POST', '/runs?wait_for_completion=60', {
      target: walk.world.fixtures.workflowId,
      input: { order: 8 },
    });
    const { status, body } = await startAndWait(walk, started);
    expect(status).toBe(200);
    expect(body).toMatchObject({ finished: true, status: 'completed', error: null });
    expect(body.output).toBeTypeOf('object');
    walk.notes.runId = body.id;
  },

  async 'starts a run and polls until it has finished'({ client, world }) {
    const { status, body } = await client.call('POST', '/runs', {
      target: `agents.${world.fixtures.agentSlug}`,
    });
    expect(status).toBe(201);
    const view = (await client.readUntilFinished(body.id)).body;
    expect(view).toMatchObject({ finished: true, execution: { status: 'completed' } });
    expect(view.files).toEqual(expect.any(Array));
  },
};
