import { afterAll, describe, expect, test } from 'vitest';

import { readZip } from '../../api/datasets/read-zip.ts';
import { openRunApp } from '../../api/runs/run-app.ts';
import type { ApiResponse } from '../../contract-client.ts';

const { app, control, ask, post, run, upload } = await openRunApp();
afterAll(() => app.close());
const { fixtures } = app.world;

describe('the files of a run', () => {
  test('are those of its input, its output and its trace', async () => {
    const id = await run({ input: { doc: { $fileId: await upload('a b.json', '[1]') } } });
    const { artifacts } = (await ask(`/v1/runs/${id}/artifacts`)).body;
    expect(artifacts).toEqual([
      {
        name: 'a b.json',
        role: 'input',
        path: 'input/a b.json',
        contentType: 'application/json',
        size: 3,
      },
      {
        name: 'result.json',
        role: 'output',
        path: 'output/result.json',
        stepName: 'save-output',
        contentType: 'application/json',
        size: expect.any(Number),
      },
      {
        name: 'trace.json',
        role: 'debug',
        path: 'debug/trace.json',
        contentType: 'application/json',
        size: expect.any(Number),
      },
    ]);
    for (const { path, size } of artifacts) {
      const { bytes } = await ask(`/v1/runs/${id}/artifacts/${path.replaceAll(' ', '%20')}`);
      expect(bytes).toHaveLength(size);
    }
    expect((await ask(`/v1/runs/${id}`)).body.files).toEqual([artifacts[1]]);
  });

  test('have names that are copied to the expected files', async () => {
    const id = await run({});
    const { artifacts } = (await ask(`/v1/runs/${id}/artifacts`)).body;
    const [{ name: outputFileName }] = artifacts;
    const { status, body } = await post(`/v1/runs/${id}/feedback/expected`, { outputFileName });
    expect([status, body]).toEqual([200, { name: 'result.json' }]);
  });
});

describe('a download', () => {
  test('arrives as bytes, whatever the media type', async () => {
    const { id } = await control.run({
      status: 'completed',
      outputFiles: [{ path: 'sub/a b.json', contentType: 'application/json', text: '{"a": 1}' }],
    });
    const { status, headers, bytes } = await ask(
      `/v1/runs/${id}/artifacts/output/sub%2Fa%20b.json`,
    );
    expect(status).toBe(200);
    expect(bytes.toString()).toBe('{"a": 1}');
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="a b.json"',
      'x-content-type-options': 'nosniff',
    });
  });

  test('of the trace arrives as bytes', async () => {
    const { headers, bytes } = await ask(`/v1/runs/${fixtures.runId}/artifacts/debug/trace.json`);
    expect(headers['content-type']).toBe('application/octet-stream');
    const { events } = JSON.parse(bytes.toString());
    expect(events).toEqual((await ask(`/v1/runs/${fixtures.runId}/trace`)).body.events);
  });

  test.each(['output/lost', 'lost', 'result.json', 'output', 'debug/other', '__proto__', '..%2Fx'])(
    'of %s gets 404',
    async (path) => {
      const { status, body } = await ask(`/v1/runs/${fixtures.runId}/artifacts/${path}`);
      expect([status, body.issues[0].field]).toEqual([404, 'path']);
    },
  );

  test('of the trace of an open run gets 404', async () => {
    const { id } = await control.run({ status: 'running' });
    expect((await ask(`/v1/runs/${id}/artifacts/debug/trace.json`)).status).toBe(404);
  });
});

async function namesOf({ bytes }: ApiResponse): Promise<string[]> {
  return (await readZip(bytes)).map(({ name }) => name);
}

describe('the archive', () => {
  test.each(['zip=1', 'zip=true'])('with %s has the output files', async (query) => {
    const response = await ask(`/v1/runs/${fixtures.runId}/artifacts?${query}`);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'x-content-type-options': 'nosniff',
    });
    expect(await namesOf(response)).toEqual(['exceptions.txt', 'matched-invoices.csv']);
  });

  test('with bundle=review has the folders output and expected', async () => {
    const path = `/v1/runs/${fixtures.reviewedRunId}/artifacts?zip=1&bundle=review`;
    expect(await namesOf(await ask(path))).toEqual([
      'output/matched-invoices.csv',
      'expected/corrected/matched-invoices.csv',
    ]);
  });

  test('of a run without files is empty', async () => {
    const { id } = await control.run({ status: 'failed' });
    expect(await namesOf(await ask(`/v1/runs/${id}/artifacts?zip=1`))).toEqual([]);
  });

  test('above 32 MiB gets 413', async () => {
    const files = Array.from({ length: 33 }, (_, index) => ({ path: `${index}`, size: 1_048_576 }));
    const { id } = await control.run({ status: 'completed', outputFiles: files.slice(0, 32) });
    expect((await ask(`/v1/runs/${id}/artifacts?zip=1`)).status).toBe(200);
    const large = await control.run({ status: 'completed', outputFiles: files });
    const { status, body } = await ask(`/v1/runs/${large.id}/artifacts?zip=1`);
    expect([status, body.issues[0].code]).toEqual([413, 'artifacts_zip_too_large']);
  });
});
