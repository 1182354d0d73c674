import { virtualClock } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { State } from '../../../../server-reference/src/platform/state/state.ts';
import type { ExampleId, RunId } from '../../../../server-reference/src/platform/state/ids.ts';
import { call } from '../../contract-client.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';
import { asId } from '../../state-by-text.ts';
import { writeZip } from '../datasets/write-zip.ts';
import { formBytes } from '../files/file-server.ts';
import { OPERATIONS } from '../responses/documented-pairs.ts';
import { GOOD_REQUESTS } from '../responses/good-requests.ts';
import { openSandbox } from '../responses/sandbox.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MEBIBYTE = 1_048_576;
/** What BEHAVIOR.md promises. */
const MAX_KEPT_MEBIBYTES = 256;
const FILLER = asId<ExampleId>('ex_filler');

interface Fillable {
  readonly app: OpenApp;
  /** Adds an example whose text has this size and takes no memory. */
  readonly fill: (mebibytes: number) => Promise<void>;
  readonly empty: () => void;
  readonly logged: readonly string[];
}

/** The server looks at the sizes once in some requests that add something. */
async function passChecks({ listener, world }: OpenApp): Promise<void> {
  const json = { filename: 'a.txt', contentType: 'text/plain', size: 1 };
  const key = world.keys.wildcard;
  for (let number = 0; number < 16; number += 1) {
    await call(listener, { method: 'POST', path: '/v1/files/uploads', key, json });
  }
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
  const [example = expect.unreachable()] = state.examples.values();
  return {
    app,
    async fill(mebibytes) {
      const annotation = 'x'.repeat(mebibytes * MEBIBYTE);
      const automationId = asId<typeof example.automationId>('wf_filler');
      state.examples.add({
        ...structuredClone(example),
        id: FILLER,
        automationId,
        annotation,
      } as never);
      await passChecks(app);
    },
    empty: () => state.examples.delete(FILLER),
    logged: logger.lines,
  };
}

const FULL = { status: 503, body: { issues: [{ code: 'storage_full', field: '<root>' }] } };

/** They free room, replace what is there, or have bytes of their own. */
const ALLOWED = new Set([
  'updateDatasetReviewRequest',
  'renameExpectedFile',
  'renameInputFile',
  'cancelRun',
  'cancelExperiment',
  'putRunReview',
  'updateRunReview',
  'addExpectedReviewFile',
  'renameExpectedReviewFile',
  'copyOutputToExpected',
  'copyOutputToExpectedApp',
]);

describe('a server that keeps as much as it can', () => {
  test.each(OPERATIONS.map(({ operationId, method }) => ({ operationId, method })))(
    '$operationId',
    async ({ operationId, method }) => {
      const { app, fill } = await openFillable();
      const sandbox = await openSandbox(app);
      const request = await GOOD_REQUESTS[operationId]?.(sandbox);
      await fill(MAX_KEPT_MEBIBYTES);
      const response = await sandbox.send(operationId, request ?? expect.unreachable());
      if (/GET|DELETE/.test(method) || ALLOWED.has(operationId)) {
        expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
      } else {
        expect(response).toMatchObject(FULL);
        expect(response.headers['retry-after']).toBe('1');
      }
    },
  );

  test('accepts more below its limit, and again when something was deleted', async () => {
    const { app, fill, empty, logged } = await openFillable();
    const sandbox = await openSandbox(app);
    const start = async (): Promise<number> =>
      (await sandbox.send('startRun', { json: { target: sandbox.fixtures.workflowId } })).status;
    await fill(MAX_KEPT_MEBIBYTES - 8);
    expect(await start()).toBe(201);
    await fill(MAX_KEPT_MEBIBYTES);
    expect(await start()).toBe(503);
    empty();
    expect(await start()).toBe(201);
    expect(logged).toEqual([]);
  });

  test('adds no run, world or event over the control interface, but ends runs', async () => {
    const { app, fill } = await openFillable();
    const control = controlClient(app);
    const { id } = await control.run({ status: 'running' });
    const endpoint = await control.endpoint('http://127.0.0.1:9/');
    await fill(MAX_KEPT_MEBIBYTES);
    for (const [path, json] of [
      ['/worlds', {}],
      ['/runs', {}],
      ['/keys', { scope: [] }],
      ['/examples', { name: 'one-more' }],
      ['/webhook-endpoints', { url: 'http://127.0.0.1:9/' }],
      [`/webhook-endpoints/${endpoint.id}/test`, {}],
      ['/events', { endpointId: endpoint.id, payload: '{}' }],
      [`/runs/${id}/moves`, { status: 'waiting' }],
    ] as const) {
      expect(await control.call(path, { json }), path).toMatchObject(FULL);
    }
    await control.move(id, 'failed');
  });

  test('refuses an archive whose examples have no room', async () => {
    const { app, fill } = await openFillable();
    const { datasetAutomationId } = app.world.fixtures;
    await fill(MAX_KEPT_MEBIBYTES - 4);
    const json = JSON.stringify({ values: Array.from({ length: 100_000 }, () => ({})) });
    const names = [1, 2, 3].map((number) => `examples/${number}/input.json`);
    const bytes = writeZip(names.map((name) => ({ name, bytes: json, deflated: true })));
    const response = await call(app.listener, {
      method: 'POST',
      path: `/v1/automations/${datasetAutomationId}/dataset/import`,
      key: app.world.keys.wildcard,
      raw: formBytes([{ name: 'file', filename: 'a.zip', type: 'application/zip', bytes }]),
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    });
    expect(response).toMatchObject(FULL);
  });
});

describe('starts of runs that never end', () => {
  test.each([
    ['metadata', (text: string) => ({ metadata: { text } })],
    ['names in metadata', (text: string) => ({ metadata: { [text]: 1 } })],
    ['overrides', (text: string) => ({ overrides: { steps: { 'read-input': { text } } } })],
  ])('are refused when their %s have no room', async (_, parts) => {
    const { app, fill } = await openFillable();
    const sandbox = await openSandbox(app);
    await fill(MAX_KEPT_MEBIBYTES - 8);
    const statuses: number[] = [];
    while (statuses.length < 32 && statuses.at(-1) !== 503) {
      const given = { input: { $outcome: 'waiting' }, ...parts('x'.repeat(1_000_000)) };
      const json = { target: sandbox.fixtures.workflowId, ...given };
      statuses.push((await sandbox.send('startRun', { json })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: statuses.length - 1 }, () => 201), 503]);
    expect(statuses.length).toBeGreaterThan(4);
  });

  test.each([
    ['in memory', 1_024, false],
    ['in a data folder', 8_192, true],
  ])('are refused when their large inputs have no room %s', async (_, mebibytes, inFolder) => {
    const states: State[] = [];
    const path = await temporaryFolder();
    const app = await openApp({
      clock: virtualClock({ now: START }),
      store: inFolder ? { kind: 'folder', path } : { kind: 'memory' },
      arrange: (state) => void states.push(state),
    });
    onTestFinished(() => app.close());
    const sandbox = await openSandbox(app);
    const start = async (): Promise<{ status: number; id: string }> => {
      const json = { target: sandbox.fixtures.workflowId, input: { text: 'x'.repeat(20_000) } };
      const { status, body } = await sandbox.send('startRun', { json });
      return { status, id: body.id };
    };
    const { id } = await start();
    /** Pretends that the input has this size. */
    const resize = (bytes: number): unknown =>
      Object.assign(states[0]?.runs.edit(asId<RunId>(id)).input ?? expect.unreachable(), { bytes });
    resize((mebibytes - 1) * MEBIBYTE);
    await passChecks(app);
    expect((await start()).status).toBe(201);
    resize(mebibytes * MEBIBYTE);
    await passChecks(app);
    expect((await start()).status).toBe(503);
  });
});
