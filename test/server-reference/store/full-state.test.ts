import { virtualClock } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { State } from '../../../server-reference/src/store/state.ts';
import { call } from '../contract-client.ts';
import { MAX_FILE_BYTES } from '../../../server-reference/src/api/refuse-full.ts';
import { START, controlClient } from '../lab/control/control-client.ts';
import { openApp } from '../open-app.ts';
import type { OpenApp } from '../open-app.ts';

interface Fillable {
  readonly app: OpenApp;
  /** Makes the server take its data file for this full: 1 is its maximum size. */
  readonly fill: (share: number) => void;
}

async function openFillable(): Promise<Fillable> {
  const states: State[] = [];
  const app = await openApp({
    clock: virtualClock({ now: START }),
    arrange: (state) => void states.push(state),
  });
  onTestFinished(() => app.close());
  const [state = expect.unreachable()] = states;
  return {
    app,
    fill: (share) => (state.fileBytes = share * MAX_FILE_BYTES),
  };
}

const FULL = { status: 503, body: { issues: [{ code: 'storage_full', field: '<root>' }] } };

describe('a server whose data file is full', () => {
  test.each([
    ['POST', '/v1/runs', { target: 'workflows.invoice-matcher' }],
    ['PUT', '/v1/runs/{run}/reviews', { verdict: 'correct' }],
    ['POST', '/v1/files/uploads', { filename: 'a', contentType: 'text/plain', size: 1 }],
  ] as const)('refuses what may add: %s %s', async (method, path, json) => {
    const { app, fill } = await openFillable();
    const { keys, fixtures } = app.world;
    fill(1);
    const to = path.replace('{run}', fixtures.reviewedRunId);
    const response = await call(app.listener, { method, path: to, key: keys.wildcard, json });
    expect(response).toMatchObject(FULL);
    expect(response.headers['retry-after']).toBe('1');
  });

  test('reads, deletes, moves and cancels', async () => {
    const { app, fill } = await openFillable();
    const { keys, fixtures } = app.world;
    const { id } = await controlClient(app).run({ status: 'running' });
    fill(1);
    const file = `/v1/automations/${fixtures.datasetAutomationId}`;
    for (const [method, path, json] of [
      ['GET', file, undefined],
      ['PATCH', `/v1/automations/${fixtures.workflowId}`, { folderPath: '/new' }],
      ['POST', `/v1/runs/${id}/cancel`, undefined],
      ['DELETE', `/v1/files/${fixtures.fileId}`, undefined],
    ] as const) {
      const response = await call(app.listener, { method, path, key: keys.wildcard, json });
      expect([path, response.status]).toEqual([path, 200]);
    }
  });

  test('adds no run, world or event over the control interface, but ends runs', async () => {
    const { app, fill } = await openFillable();
    const control = controlClient(app);
    const { id } = await control.run({ status: 'running' });
    const endpoint = await control.endpoint('http://127.0.0.1:9/');
    fill(1);
    for (const [path, json] of [
      ['/worlds', {}],
      ['/runs', {}],
      ['/events', { endpointId: endpoint.id, payload: '{"id":"whev_1"}' }],
    ] as const) {
      expect(await control.call(path, { json }), path).toMatchObject(FULL);
    }
    await control.move(id, 'failed');
  });
});
