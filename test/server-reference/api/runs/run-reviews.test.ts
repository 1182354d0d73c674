import { createServer } from '@hookproof/server-reference';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { controlClient } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

const EMPTY = {
  id: null,
  verdict: null,
  status: null,
  note: null,
  reviewedBy: null,
  reviewedByEmail: null,
  reviewedAt: null,
  closedBy: null,
  closedByEmail: null,
  closedAt: null,
  closedNote: null,
  createdAt: null,
  updatedAt: null,
  corrections: [],
  correctedOutput: null,
};
const REVIEWED = {
  status: 'completed',
  output: { total: 3 },
  outputFiles: [
    { path: 'totals.csv', text: 'total\n3\n', contentType: 'text/csv' },
    { path: 'logs/run.bin', base64: 'AAEC' },
  ],
  review: {
    verdict: 'incorrect',
    note: 'One too few.',
    corrections: [{ path: 'total', originalValue: 3, correctedValue: 4 }],
    correctedOutput: { total: 4 },
    correctedFiles: [
      { path: 'zz.txt', text: 'last' },
      { path: 'corrected/totals.csv', text: 'total\n4\n', contentType: 'text/csv' },
    ],
  },
};

const app = await openApp();
afterAll(() => app.close());
const control = controlClient(app);

function ask(
  path: string,
  more: { method?: 'DELETE' | 'POST'; json?: unknown } = {},
): Promise<ApiResponse> {
  return call(app.listener, { path, key: app.world.keys.wildcard, ...more });
}

async function names(id: string): Promise<string[]> {
  const { body } = await ask(`/v1/runs/${id}/reviews/expected`);
  return body.data.map((one: { name: string }) => one.name);
}

function copy(id: string, json: unknown): Promise<ApiResponse> {
  return ask(`/v1/runs/${id}/feedback/expected`, { method: 'POST', json });
}

describe('GET /v1/runs/{id}/reviews', () => {
  test('returns the review of a run, and null without one or after clearing', async () => {
    const run = await control.run(REVIEWED);
    const { body } = await ask(`/v1/runs/${run.id}/reviews`);
    expect(body.review).toEqual({
      id: expect.stringMatching(/^runreview_/),
      verdict: 'incorrect',
      status: 'open',
      note: 'One too few.',
      reviewedBy: expect.stringMatching(/^user_/),
      reviewedByEmail: expect.stringContaining('@'),
      reviewedAt: body.review.createdAt,
      closedBy: null,
      closedByEmail: null,
      closedAt: null,
      closedNote: null,
      createdAt: expect.any(String),
      updatedAt: body.review.createdAt,
      corrections: [
        {
          id: expect.stringMatching(/^correction_/),
          kind: 'field',
          path: 'total',
          label: 'total',
          note: '',
          createdAt: body.review.createdAt,
          updatedAt: body.review.createdAt,
          originalValue: 3,
          correctedValue: 4,
        },
      ],
      correctedOutput: { total: 4 },
    });
    await ask(`/v1/runs/${run.id}/reviews`, { method: 'DELETE' });
    expect((await ask(`/v1/runs/${run.id}/reviews`)).body).toEqual({ review: null });
    const unreviewed = await control.run();
    expect((await ask(`/v1/runs/${unreviewed.id}/reviews`)).body).toEqual({ review: null });
  });
});

describe('DELETE /v1/runs/{id}/reviews', () => {
  test('removes the review and its corrected files, also when repeated; the run stays', async () => {
    const run = await control.run(REVIEWED);
    const files = [
      { name: 'corrected/totals.csv', contentType: 'text/csv', size: 8 },
      { name: 'zz.txt', contentType: 'application/octet-stream', size: 4 },
    ];
    expect((await ask(`/v1/runs/${run.id}/reviews/expected`)).body).toEqual({ files, data: files });
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await ask(`/v1/runs/${run.id}/reviews`, { method: 'DELETE' });
      expect([status, body]).toEqual([200, { review: EMPTY }]);
      expect(await names(run.id)).toEqual([]);
    }
    expect((await ask(`/v1/runs/${run.id}`)).body).toMatchObject(run);
  });

  test('has the same response without a review', async () => {
    const { id } = await control.run();
    expect(await names(id)).toEqual([]);
    const { status, body } = await ask(`/v1/runs/${id}/reviews`, { method: 'DELETE' });
    expect([status, body]).toEqual([200, { review: EMPTY }]);
  });

  test('keeps the reviews of other runs', async () => {
    const [one, other] = [await control.run(REVIEWED), await control.run(REVIEWED)];
    await ask(`/v1/runs/${one.id}/reviews`, { method: 'DELETE' });
    expect(await names(other.id)).toHaveLength(2);
  });
});

describe('POST /v1/runs/{id}/feedback/expected and its other address', () => {
  test('replaces a file of the same name, so that a repetition changes nothing', async () => {
    const { id } = await control.run(REVIEWED);
    const json = { outputFileName: 'logs/run.bin', expectedName: 'zz.txt' };
    for (let round = 0; round < 2; round += 1) {
      expect((await copy(id, json)).body).toEqual({ name: 'zz.txt' });
      expect((await ask(`/v1/runs/${id}/reviews/expected`)).body.data).toEqual([
        { name: 'corrected/totals.csv', contentType: 'text/csv', size: 8 },
        { name: 'zz.txt', contentType: 'application/octet-stream', size: 3 },
      ]);
    }
  });

  test.each(['corrected', 'zz.txt/a', 'corrected/totals.csv/a/b'])(
    'responds 409 to the name %j, where a file would have to be a folder',
    async (expectedName) => {
      const { id } = await control.run(REVIEWED);
      const { status, body } = await copy(id, { outputFileName: 'totals.csv', expectedName });
      expect(status).toBe(409);
      expect(body.issues).toMatchObject([{ field: 'expectedName', code: 'file_name_conflict' }]);
      expect(await names(id)).toHaveLength(2);
    },
  );
});

test('keeps copies and clearings over a restart, even on an ended run', async () => {
  const store = { kind: 'folder', path: await temporaryFolder() } as const;
  const first = await createServer({ store });
  const { runId, outputFileName, reviewedRunId } = first.world.fixtures;
  const key = first.world.keys.wildcard;
  const made = await controlClient(first).run(REVIEWED);
  await call(first.baseUrl, {
    method: 'POST',
    path: `/v1/runs/${runId}/feedback/expected`,
    key,
    json: { outputFileName },
  });
  for (const id of [reviewedRunId, made.id]) {
    await call(first.baseUrl, { method: 'DELETE', path: `/v1/runs/${id}/reviews`, key });
  }
  await first.close();
  const second = await createServer({ store });
  onTestFinished(() => second.close());
  const expected = async (id: string): Promise<unknown> =>
    (await call(second.baseUrl, { path: `/v1/runs/${id}/reviews/expected`, key })).body.data;
  expect(await expected(runId)).toMatchObject([{ name: outputFileName }]);
  expect(await expected(reviewedRunId)).toEqual([]);
  expect(await expected(made.id)).toEqual([]);
});
