import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { controlClient } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';
import { formBytes } from '../files/file-server.ts';
import type { Part } from '../files/file-server.ts';

const RUN = {
  status: 'completed',
  outputFiles: [
    { path: 'totals.csv', text: 'total\n3\n', contentType: 'text/csv' },
    { path: 'logs/run.json', text: '{"steps":1}', contentType: 'application/json' },
    { path: 'output/odd.txt', text: 'odd' },
  ],
};

const app = await openApp();
afterAll(() => app.close());
const control = controlClient(app);
const { wildcard } = app.world.keys;

let run: string;
let files: string;
beforeEach(async () => {
  run = `/v1/runs/${(await control.run(RUN)).id}`;
  files = `${run}/reviews/expected`;
});

interface More {
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly json?: unknown;
}

function ask(path: string, more: More = {}): Promise<ApiResponse> {
  return call(app.listener, { path, key: wildcard, ...more });
}

/** Copies the output file `totals.csv` to each name. */
async function copyTo(...expectedNames: readonly string[]): Promise<void> {
  for (const expectedName of expectedNames) {
    const json = { outputFileName: 'totals.csv', expectedName };
    const { status } = await ask(`${run}/feedback/expected`, { method: 'POST', json });
    expect(status).toBe(200);
  }
}

async function names(): Promise<string[]> {
  const { body } = await ask(files);
  expect(body.files).toEqual(body.data);
  return body.files.map((one: { name: string }) => one.name);
}

/** Sends a form. */
function post(parts: readonly Part[]): Promise<ApiResponse> {
  return call(app.listener, {
    method: 'POST',
    path: files,
    key: wildcard,
    raw: formBytes(parts),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  });
}
function rename(from: string, name: unknown): Promise<ApiResponse> {
  return ask(`${files}/${from}`, { method: 'PATCH', json: { name } });
}

function expectRefused({ status, body }: ApiResponse, expected: number, issue: object): void {
  expect([status, body.issues]).toEqual([expected, [expect.objectContaining(issue)]]);
}

const UNKNOWN = {
  field: 'filename',
  code: 'not_found',
  message: 'the run has no corrected file with this name',
};

describe('the output file of a copy', () => {
  test.each([
    ['totals.csv', 'totals.csv'],
    ['output/totals.csv', 'totals.csv'],
    ['output/logs/run.json', 'logs/run.json'],
    ['output/odd.txt', 'output/odd.txt'],
    ['output/output/odd.txt', 'output/odd.txt'],
  ])('%s is %s by its name or its path', async (outputFileName, name) => {
    const copied = await ask(`${run}/feedback/expected`, {
      method: 'POST',
      json: { outputFileName },
    });
    expect(copied.body).toEqual({ name });
    expect(await names()).toEqual([name]);
  });

  test.each([
    '',
    'TOTALS.csv',
    'run.json',
    '__proto__',
    'output/none.csv',
    'input/totals.csv',
    'output/',
  ])('%j is unknown', async (name) => {
    const json = { outputFileName: name };
    expectRefused(await ask(`${run}/feedback/expected`, { method: 'POST', json }), 404, {
      field: 'outputFileName',
      code: 'not_found',
    });
  });
});

describe('POST /v1/runs/{id}/reviews/expected', () => {
  const FILE = { name: 'file', filename: 'own.json', type: 'application/json', bytes: '{"a":1}' };
  const NAME = { name: 'name', bytes: 'reports/named.json' };

  test('copies an output file, as /feedback/expected does', async () => {
    const json = { outputFileName: 'totals.csv', expectedName: 'a/b.csv' };
    const { status, body } = await ask(files, { method: 'POST', json });
    expect([status, body]).toEqual([201, { name: 'a/b.csv' }]);
    expect(await names()).toEqual(['a/b.csv']);
  });

  test.each([
    ['its own name', [FILE], 'own.json'],
    ['a name behind it', [FILE, NAME], 'reports/named.json'],
    ['a name before it', [NAME, FILE], 'reports/named.json'],
    ['a name as JSON', [{ ...NAME, type: 'application/json' }, FILE], 'reports/named.json'],
    ['unknown parts', [{ name: 'more', bytes: '1' }, FILE], 'own.json'],
    ['its own name with folders', [{ ...FILE, filename: 'a/own.json' }], 'a/own.json'],
    ['only a given name', [{ name: 'file', bytes: '{"a":1}' }, NAME], 'reports/named.json'],
  ])('stores a file of a form with %s', async (_what, parts, name) => {
    const { status, body } = await post(parts);
    expect([status, body]).toEqual([201, { name }]);
    const listed = (await ask(files)).body.files;
    expect(listed).toMatchObject([{ name, size: 7 }]);
    expect((await ask(`${files}/${name}`)).bytes.toString()).toBe('{"a":1}');
  });

  test('replaces a file of the same name, and keeps the media type of the part', async () => {
    await copyTo('own.json', 'zz.csv');
    await post([FILE]);
    expect((await ask(files)).body.files).toEqual([
      { name: 'own.json', contentType: 'application/json', size: 7 },
      { name: 'zz.csv', contentType: 'text/csv', size: 8 },
    ]);
  });

  test.each<[string, Part[], number, object]>([
    ['no file', [NAME], 400, { field: 'file' }],
    [
      'a bad name',
      [FILE, { ...NAME, bytes: '../up' }],
      400,
      { field: 'name', code: 'invalid_value' },
    ],
    [
      'an empty name',
      [FILE, { ...NAME, bytes: '' }],
      400,
      { field: 'name', code: 'invalid_value' },
    ],
    ['a bad name of its own', [{ ...FILE, filename: 'a\\\\b' }], 400, { field: 'file' }],
    [
      'a taken name',
      [FILE, { ...NAME, bytes: 'kept' }],
      409,
      { field: 'name', code: 'file_name_conflict' },
    ],
    [
      'a name taken in another case',
      [{ ...FILE, filename: 'KEPT/a.json' }],
      409,
      { field: 'file' },
    ],
    [
      'too many bytes',
      [{ ...FILE, bytes: Buffer.alloc(1_048_577) }],
      413,
      { field: 'file', code: 'payload_too_large' },
    ],
  ])('refuses a form with %s, and changes nothing', async (_what, parts, status, issue) => {
    await copyTo('kept/a.json');
    expectRefused(await post(parts), status, issue);
    expect(await names()).toEqual(['kept/a.json']);
  });

  test.each([
    [{ outputFileName: 'none.csv' }, 404, 'outputFileName'],
    [{}, 400, 'outputFileName'],
    [{ outputFileName: 'totals.csv', expectedName: '' }, 400, 'expectedName'],
  ])('refuses %j', async (json, status, field) => {
    expectRefused(await ask(files, { method: 'POST', json }), status, { field });
    expect(await names()).toEqual([]);
  });
});

describe('GET /v1/runs/{id}/reviews/expected/{filename}', () => {
  test('sends a file as plain bytes, whatever its media type', async () => {
    const json = { outputFileName: 'logs/run.json', expectedName: 'reports/a b.json' };
    await ask(`${run}/feedback/expected`, { method: 'POST', json });
    const { status, headers, bytes } = await ask(`${files}/reports/a%20b.json`);
    expect([status, bytes.toString()]).toEqual([200, '{"steps":1}']);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'content-disposition': 'attachment; filename="a b.json"',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each(['none.csv', '..%2Ftotals.csv', 'reports', 'TOTALS.csv', '__proto__'])(
    'responds 404 to %s',
    async (name) => {
      await copyTo('totals.csv', 'reports/a.csv');
      expectRefused(await ask(`${files}/${name}`), 404, UNKNOWN);
    },
  );
});

describe('PATCH /v1/runs/{id}/reviews/expected/{filename}', () => {
  test.each([
    ['a.csv', 'b.csv'],
    ['a.csv', 'reports/deep/a.csv'],
    ['a.csv', 'a.csv'],
    ['a.csv', 'A.csv'],
    ['a.csv', 'a.csv/under.csv'],
  ])('renames %s to %s', async (from, to) => {
    await copyTo(from, 'other.csv');
    const { status, body } = await rename(from, to);
    expect([status, body]).toEqual([200, { name: to }]);
    expect(await names()).toEqual([to, 'other.csv'].toSorted());
    expect((await ask(`${files}/${to}`)).bytes.toString()).toBe('total\n3\n');
  });

  test.each([
    ['other.csv', 'is the name of another corrected file'],
    ['OTHER.csv', 'is the name of another corrected file'],
    ['folder', 'conflicts with a corrected file: one of them would have to be a folder'],
    ['other.csv/a', 'conflicts with a corrected file: one of them would have to be a folder'],
  ])('refuses the taken name %s', async (to, message) => {
    await copyTo('a.csv', 'other.csv', 'folder/b.csv');
    expectRefused(await rename('a.csv', to), 409, {
      field: 'name',
      code: 'file_name_conflict',
      message,
    });
    expect(await names()).toEqual(['a.csv', 'folder/b.csv', 'other.csv']);
  });

  test('responds 404 to an unknown file', async () => {
    expectRefused(await rename('a.csv', 'b.csv'), 404, UNKNOWN);
  });
});

describe('DELETE /v1/runs/{id}/reviews/expected/{filename}', () => {
  test('deletes a file, once', async () => {
    await copyTo('reports/a.csv', 'b.csv');
    const path = `${files}/reports/a.csv`;
    expect((await ask(path, { method: 'DELETE' })).status).toBe(204);
    expect(await names()).toEqual(['b.csv']);
    expectRefused(await ask(path, { method: 'DELETE' }), 404, UNKNOWN);
  });

  test('keeps the review', async () => {
    const reviewed = await control.run({
      ...RUN,
      review: { correctedFiles: [{ path: 'a', text: '' }] },
    });
    const path = `/v1/runs/${reviewed.id}/reviews`;
    const before = await ask(path);
    expect((await ask(`${path}/expected/a`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(path)).body).toEqual(before.body);
  });
});

test('names that differ only in case are refused, since they would clash when unpacked', async () => {
  await copyTo('Totals.csv', 'reports/a.csv');
  for (const expectedName of ['totals.csv', 'TOTALS.CSV/a', 'Reports/A.csv', 'REPORTS']) {
    const json = { outputFileName: 'totals.csv', expectedName };
    expectRefused(await ask(`${run}/feedback/expected`, { method: 'POST', json }), 409, {
      field: 'expectedName',
      code: 'file_name_conflict',
    });
  }
  expect(await names()).toEqual(['Totals.csv', 'reports/a.csv']);
});
