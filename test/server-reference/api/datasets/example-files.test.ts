import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { datasetClient } from './dataset-client.ts';
import type { DatasetClient } from './dataset-client.ts';
import { readZip } from './read-zip.ts';

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
  test('reads an escaped slash as a slash, and never unescapes twice', async () => {
    const whole = await client.rename(exampleId, 'reports%2Fsummary.txt', { newFilename: 'a%2Fb' });
    expect(whole.body).toEqual({ ok: true, filename: 'a%2Fb', path: 'reports/a%2Fb' });
    const twice = await client.rename(exampleId, 'reports%252Fa%252Fb', { newFilename: 'c' });
    expect(twice.status).toBe(404);
    const once = await client.rename(exampleId, 'reports/a%252Fb', { newFilename: 'c' });
    expect(once.body.path).toBe('reports/c');
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

  test('refuses a name that makes the whole path too long', async () => {
    const folder = `${'f'.repeat(250)}/`.repeat(4);
    const { id } = await client.add({ name: 'long', expected: [{ path: `${folder}a`, text: '' }] });
    const fits = await client.rename(id, `${folder}a`, { newFilename: 'b'.repeat(20) });
    expect(fits.status).toBe(200);
    const over = await client.rename(id, fits.body.path, { newFilename: 'b'.repeat(21) });
    expect([over.status, over.body.issues[0].field]).toEqual([400, 'newFilename']);
  });
});

describe('DELETE …/examples/{exampleId}/input/{path}', () => {
  let id: string;
  beforeEach(async () => {
    const given = [
      { path: 'scans/note.txt', text: 'same bytes' },
      { path: 'scans/note.txt.bak', text: 'same bytes' },
      { path: 'mail.txt', text: 'mail' },
    ];
    ({ id } = await client.add({ name: 'deleting', input: given, expected: given }));
  });

  async function names(): Promise<string[]> {
    const { bytes } = await client.exportZip(`?exampleIds=${id}`);
    return (await readZip(bytes)).map(({ name }) => name.replace('examples/deleting/', ''));
  }

  test('leaves an empty folder after the last file', async () => {
    for (const path of ['scans/note.txt', 'scans/note.txt.bak', 'mail.txt']) {
      expect((await client.remove(id, path)).status, path).toBe(204);
    }
    expect((await names())[0]).toBe('input/');
  });

  test('succeeds for one of many concurrent deletions of a file', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.remove(id, 'mail.txt')),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      204, 404, 404, 404, 404,
    ]);
  });
});
