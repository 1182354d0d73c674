import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer, virtualClock } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { State } from '../../../server-reference/src/store/state.ts';
import { call } from '../contract-client.ts';
import { readDataFolder } from '../data-folder.ts';
import { MAX_FILE_BYTES } from '../../../server-reference/src/store/bound.ts';
import { START, controlClient } from '../lab/control/control-client.ts';
import { openApp } from '../open-app.ts';
import type { OpenApp } from '../open-app.ts';
import { OPERATIONS } from '../api/responses/documented-pairs.ts';
import { GOOD_REQUESTS } from '../api/responses/good-requests.ts';
import { openSandbox } from '../api/responses/sandbox.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Fillable {
  readonly app: OpenApp;
  /** Makes the server take its data file for this full: 1 is its maximum size. */
  readonly fill: (share: number) => void;
  readonly logged: readonly string[];
}

async function openFillable(): Promise<Fillable> {
  const states: State[] = [];
  const logger = recordingLogger();
  const app = await openApp({
    clock: virtualClock({ now: START }),
    logger,
    arrange: (state) => void states.push(state),
  });
  onTestFinished(() => app.close());
  const [state = expect.unreachable()] = states;
  return {
    app,
    fill: (share) => (state.fileBytes = share * MAX_FILE_BYTES),
    logged: logger.lines,
  };
}

const FULL = { status: 503, body: { issues: [{ code: 'storage_full', field: '<root>' }] } };

/** They end runs, or change little of what is there. */
const ALLOWED = new Set([
  'updateDatasetReviewRequest',
  'renameExpectedFile',
  'renameInputFile',
  'replaceEvaluators',
  'updateDatasetExample',
  'uploadExpectedFiles',
  'uploadInputFiles',
  'cancelRun',
  'cancelExperiment',
  'updateRunReview',
  'renameExpectedReviewFile',
]);

describe('a server whose data file is full', () => {
  test.each(OPERATIONS.map(({ operationId, method }) => ({ operationId, method })))(
    '$operationId',
    async ({ operationId, method }) => {
      const { app, fill } = await openFillable();
      const sandbox = await openSandbox(app);
      const request = await GOOD_REQUESTS[operationId]?.(sandbox);
      fill(1);
      const response = await sandbox.send(operationId, request ?? expect.unreachable());
      if (/GET|DELETE/.test(method) || ALLOWED.has(operationId)) {
        expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
      } else {
        expect(response).toMatchObject(FULL);
        expect(response.headers['retry-after']).toBe('1');
      }
    },
  );

  test('adds no run, world or event over the control interface, but ends runs', async () => {
    const { app, fill } = await openFillable();
    const control = controlClient(app);
    const { id } = await control.run({ status: 'running' });
    const endpoint = await control.endpoint('http://127.0.0.1:9/');
    fill(1);
    for (const [path, json] of [
      ['/worlds', {}],
      ['/runs', {}],
      ['/keys', { scope: [] }],
      ['/examples', { name: 'one-more' }],
      ['/webhook-endpoints', { url: 'http://127.0.0.1:9/' }],
      [`/webhook-endpoints/${endpoint.id}/test`, {}],
      ['/events', { endpointId: endpoint.id, payload: '{"id":"whev_1"}' }],
      [`/runs/${id}/moves`, { status: 'waiting' }],
    ] as const) {
      expect(await control.call(path, { json }), path).toMatchObject(FULL);
    }
    await control.expectOk(201, '/worlds', { temporary: true });
    await control.move(id, 'failed');
  });

  test('refuses what adds much to a record, and changes nothing of it', async () => {
    const { app, fill } = await openFillable();
    const { listener, world } = app;
    const { fixtures, keys } = world;
    const path = `/v1/runs/${fixtures.reviewedRunId}/reviews`;
    const send = (method: 'GET' | 'PUT' | 'PATCH', to: string, json?: object) =>
      call(listener, { method, path: to, key: keys.wildcard, json });
    const before = await send('GET', path);
    fill(1);
    const note = 'x'.repeat(900_000);
    expect(await send('PUT', path, { verdict: 'incorrect', note })).toMatchObject(FULL);
    expect(await send('PATCH', path, { note })).toMatchObject(FULL);
    const request = `/v1/automations/${fixtures.reviewAutomationId}/dataset-review-requests/${fixtures.openReviewId}`;
    expect(await send('PATCH', request, { title: note })).toMatchObject(FULL);
    expect((await send('GET', path)).body).toEqual(before.body);
  });

  test('moves a workflow to a folder that is there, and makes no new one', async () => {
    const { app, fill } = await openFillable();
    const { workflowId, folderId } = app.world.fixtures;
    const move = (json: object) =>
      call(app.listener, {
        method: 'PATCH',
        path: `/v1/automations/${workflowId}`,
        key: app.world.keys.wildcard,
        json,
      });
    fill(1);
    expect((await move({ folderId })).status).toBe(200);
    expect(await move({ folderPath: '/new' })).toMatchObject(FULL);
    expect((await move({ folderId: null })).status).toBe(200);
  });

  test('grows by small changes up to a reserve, and no further', async () => {
    const { app, fill } = await openFillable();
    const { workflowId, folderId } = app.world.fixtures;
    fill(1.01);
    const request = {
      method: 'PATCH',
      path: `/v1/automations/${workflowId}`,
      key: app.world.keys.wildcard,
    } as const;
    expect(await call(app.listener, { ...request, json: { folderId: null } })).toMatchObject({
      status: 200,
    });
    expect(await call(app.listener, { ...request, json: { folderId } })).toMatchObject(FULL);
  });
});

test('a data file of the maximum size is read and written, and accepts more after a deletion', async () => {
  const path = await temporaryFolder();
  const first = await createServer({ store: { kind: 'folder', path } });
  const { worlds } = await readDataFolder(path);
  const { id } = await controlClient(first).expectOk<{ id: string }>(201, '/worlds', {});
  await first.close();
  const file = join(path, 'data.json');
  const state = JSON.parse(await readFile(file, 'utf8')) as Record<string, Named[]>;
  const template =
    state['templates']?.findLast(({ tenantId }) => tenantId !== '') ?? expect.unreachable();
  template.name = 'x'.repeat(MAX_FILE_BYTES);
  await writeFile(file, JSON.stringify(state));

  const server = await createServer({ store: { kind: 'folder', path } });
  onTestFinished(() => server.close());
  const control = controlClient(server);
  expect(await control.call('/runs', { json: {} })).toMatchObject({
    ...FULL,
    body: { hint: expect.stringContaining('historyLimit') },
  });
  expect((await control.call(`/worlds/${id}`, { method: 'DELETE' })).status).toBe(204);
  await control.run();
  expect(Object.keys((await readDataFolder(path)).worlds)).toEqual(Object.keys(worlds));
});

interface Named {
  name: string;
  readonly tenantId: string;
}
