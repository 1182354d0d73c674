import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { controlClient } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';

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
});
