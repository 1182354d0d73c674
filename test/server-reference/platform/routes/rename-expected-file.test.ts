import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { datasetClient } from '../datasets/dataset-client.ts';
import type { DatasetClient } from '../datasets/dataset-client.ts';
import { readZip } from '../datasets/read-zip.ts';

let server: ReferenceServer;
let client: DatasetClient;
let exampleId: string;
beforeEach(async () => {
  server = await createServer({ store: { kind: 'memory' } });
  client = datasetClient(server);
  const example = await client.add({
    name: 'renaming',
    input: [{ path: 'reports/summary.txt', text: 'in' }],
    expected: [
      { path: 'reports/summary.txt', text: 'out' },
      { path: 'reports/deep/a.txt', text: 'deep' },
      { path: 'top.txt', text: 'top' },
      { path: 'summary.txt', text: 'another' },
    ],
  });
  exampleId = example.id;
});
afterEach(() => server.close());

/** Names and bytes of the example's files, from the export. */
async function files(): Promise<Record<string, string | null>> {
  const { bytes } = await client.exportZip(`?exampleIds=${exampleId}`);
  const entries = await readZip(bytes);
  return Object.fromEntries(
    entries.map(({ name, bytes: text }) => [name.replace('examples/renaming/', ''), text]),
  );
}

describe('PATCH …/examples/{exampleId}/expected/{path}', () => {
  test('renames the file, keeps its folder and bytes, and changes no other file', async () => {
    const response = await client.rename(exampleId, 'reports/summary.txt', {
      newFilename: 'totals.txt',
    });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true, filename: 'totals.txt', path: 'reports/totals.txt' });
    expect(await files()).toEqual({
      'input/reports/summary.txt': 'in',
      'expected/reports/deep/a.txt': 'deep',
      'expected/reports/totals.txt': 'out',
      'expected/summary.txt': 'another',
      'expected/top.txt': 'top',
    });
    const again = await client.rename(exampleId, 'reports/summary.txt', { newFilename: 'x.txt' });
    expect([again.status, again.body.issues[0].field]).toEqual([404, 'path']);
  });

  test('reads an escaped slash as a slash, and never unescapes twice', async () => {
    const whole = await client.rename(exampleId, 'reports%2Fsummary.txt', { newFilename: 'a%2Fb' });
    expect(whole.body).toEqual({ ok: true, filename: 'a%2Fb', path: 'reports/a%2Fb' });
    const twice = await client.rename(exampleId, 'reports%252Fa%252Fb', { newFilename: 'c' });
    expect(twice.status).toBe(404);
    const once = await client.rename(exampleId, 'reports/a%252Fb', { newFilename: 'c' });
    expect(once.body.path).toBe('reports/c');
  });

  test('renames a file without a folder', async () => {
    const response = await client.rename(exampleId, 'top.txt', { newFilename: 'Übersicht 1.txt' });
    expect(response.body).toEqual({
      ok: true,
      filename: 'Übersicht 1.txt',
      path: 'Übersicht 1.txt',
    });
  });

  test('works on the seeded fixtures, by id and by alias', async () => {
    const { datasetAutomationSlug, exampleId: seeded, expectedFilePath } = server.world.fixtures;
    const folder = expectedFilePath.slice(0, expectedFilePath.lastIndexOf('/') + 1);
    const there = await client.rename(seeded, expectedFilePath, { newFilename: 'once.bin' });
    expect(there.body.path).toBe(`${folder}once.bin`);
    const byAlias = datasetClient(server, `workflows.${datasetAutomationSlug}`);
    const again = await byAlias.rename(seeded, `${folder}once.bin`, { newFilename: 'twice.bin' });
    expect(again.body.path).toBe(`${folder}twice.bin`);
  });

  test('succeeds without a change for the current name', async () => {
    const before = await files();
    const response = await client.rename(exampleId, 'reports/summary.txt', {
      newFilename: 'summary.txt',
    });
    expect(response.body).toEqual({
      ok: true,
      filename: 'summary.txt',
      path: 'reports/summary.txt',
    });
    expect(await files()).toEqual(before);
  });

  test.each([
    ['a file', 'top.txt', 'summary.txt'],
    ['a folder', 'top.txt', 'reports'],
    ['a folder', 'reports/summary.txt', 'deep'],
  ])('responds 409 where %s beside it has the name', async (what, path, newFilename) => {
    const before = await files();
    const response = await client.rename(exampleId, path, { newFilename });
    expect(response.status).toBe(409);
    expect(response.body.issues).toMatchObject([
      { field: 'newFilename', code: 'file_name_conflict', message: expect.stringContaining(what) },
    ]);
    expect(await files()).toEqual(before);
  });

  test('succeeds for one of many concurrent renamings to one name', async () => {
    const taken = await Promise.all(
      ['top.txt', 'summary.txt'].map((path) =>
        client.rename(exampleId, path, { newFilename: 'same.txt' }),
      ),
    );
    expect(taken.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(Object.keys(await files())).toHaveLength(5);
  });

  test.each([
    ['newFilename', {}],
    ['newFilename', { newFilename: '' }],
    ['newFilename', { newFilename: null }],
    ['newFilename', { newFilename: 5 }],
    ['newFilename', { newFilename: 'a/b' }],
    ['newFilename', { newFilename: '/a' }],
    ['newFilename', { newFilename: '..' }],
    ['newFilename', { newFilename: '../../up.txt' }],
    ['newFilename', { newFilename: '..\\up.txt' }],
    ['newFilename', { newFilename: 'C:x' }],
    ['newFilename', { newFilename: 'a\u0000.txt' }],
    ['newFilename', { newFilename: '\ud800' }],
    ['newFilename', { newFilename: 'a.' }],
    ['newFilename', { newFilename: 'e\u0301' }],
    ['newFilename', { newFilename: 'x'.repeat(256) }],
    ['<root>', []],
  ])('responds 400 and names %s for %j', async (field, json) => {
    const before = await files();
    const response = await client.rename(exampleId, 'reports/summary.txt', json);
    expect([response.status, response.body.issues[0].field]).toEqual([400, field]);
    expect(response.body.issues[0].code).toBe('invalid_value');
    expect(await files()).toEqual(before);
  });

  test('refuses a name that makes the whole path too long', async () => {
    const folder = `${'f'.repeat(250)}/`.repeat(4);
    const { id } = await client.add({ name: 'long', expected: [{ path: `${folder}a`, text: '' }] });
    const fits = await client.rename(id, `${folder}a`, { newFilename: 'b'.repeat(20) });
    expect(fits.status).toBe(200);
    const over = await client.rename(id, fits.body.path, { newFilename: 'b'.repeat(21) });
    expect([over.status, over.body.issues[0].field]).toEqual([400, 'newFilename']);
  });

  test('responds 404 and names what is unknown, or belongs to another automation or tenant', async () => {
    const { workflowId, otherTenantAutomationId, otherTenantExampleId } = server.world.fixtures;
    const body = { newFilename: 'x.txt' };
    const path = 'top.txt';
    const responses = [
      ['id', await datasetClient(server, 'wf_unknown').rename(exampleId, path, body)],
      ['id', await datasetClient(server, otherTenantAutomationId).rename(exampleId, path, body)],
      ['id', await client.rename(exampleId, path, body, server.world.keys.otherTenant)],
      ['exampleId', await client.rename('ex_unknown', path, body)],
      ['exampleId', await client.rename('__proto__', path, body)],
      ['exampleId', await client.rename(otherTenantExampleId, path, body)],
      ['exampleId', await datasetClient(server, workflowId).rename(exampleId, path, body)],
      ['path', await client.rename(exampleId, 'unknown.txt', body)],
      ['path', await client.rename(exampleId, 'reports', body)],
      ['path', await client.rename(exampleId, 'Top.txt', body)],
    ] as const;
    for (const [field, { status, body: envelope }] of responses) {
      expect([status, envelope.issues[0].field, envelope.issues[0].code]).toEqual([
        404,
        field,
        'not_found',
      ]);
    }
    const foreign = await client.rename(otherTenantExampleId, path, body);
    const unknown = await client.rename('ex_unknown', path, body);
    expect(foreign.body.issues).toEqual(unknown.body.issues);
  });
});
