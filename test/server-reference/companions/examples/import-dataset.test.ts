import { createServer } from '@hookproof/server-reference';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import { formBytes } from '../../api/files/file-server.ts';
import { datasetOf, exportOf, importInto, openDataset } from '../../api/datasets/dataset-app.ts';
import type { DatasetApp } from '../../api/datasets/dataset-app.ts';
import { readZip } from '../../api/datasets/read-zip.ts';
import { writeZip } from '../../api/datasets/write-zip.ts';
import type { RawEntry } from '../../api/datasets/write-zip.ts';

const app = await openApp();
afterAll(() => app.close());

async function namesIn({ get }: DatasetApp): Promise<string[]> {
  const { data } = (await get('/examples?limit=100')).body;
  return data.map(({ name }: { name: string }) => name);
}

/** A workflow without examples. */
const EMPTY = 'workflows.customs-declaration';

/** Everything that a client can put into an example. */
async function fill({ post, upload }: DatasetApp): Promise<void> {
  const { id } = (
    await post('/examples', {
      name: 'Größe & 1e20',
      input: { scan: { $file: 'input/a b/scan.pdf' }, '10': 1e20, __proto__: null, n: [0.1, -0] },
      expected: { text: 'line\nbreak \u2028', none: null },
      rowOrder: 2,
    })
  ).body;
  await upload(`/examples/${id}/input`, { 'a b/scan.pdf': 'bytes', 'empty.txt': '' });
  await upload(`/examples/${id}/expected`, { 'output.json': '{"older":"sign"}' });
  await post('/examples', { name: 'nothing at all' });
  await post('/examples', { name: 'expects false', expected: false });
}

describe('export → import → export', () => {
  test('an archive has the JSON members beside the folders of the contract', async () => {
    const dataset = datasetOf(app, EMPTY);
    await fill(dataset);
    const entries = await readZip(await exportOf(dataset));
    expect(entries.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['examples/expects false/input/', null],
      ['examples/expects false/expected/', null],
      ['examples/nothing at all/input/', null],
      ['examples/nothing at all/expected/', null],
      [
        'examples/Größe & 1e20/input.json',
        '{"10":100000000000000000000,"scan":{"$file":"input/a b/scan.pdf"},"n":[0.1,0]}\n',
      ],
      ['examples/Größe & 1e20/input/a b/scan.pdf', 'bytes'],
      ['examples/Größe & 1e20/input/empty.txt', ''],
      ['examples/Größe & 1e20/expected.json', '{"text":"line\\nbreak \u2028","none":null}\n'],
      ['examples/Größe & 1e20/expected/output.json', '{"older":"sign"}'],
      ['examples/expects false/expected.json', 'false\n'],
    ]);
  });

  test('reads an archive of as many entries as the export of 20,000 examples has', async () => {
    const dataset = datasetOf(await openApp({ uploadLimitBytes: 16_777_216 }), EMPTY);
    onTestFinished(() => dataset.app.close());
    const folders = Array.from({ length: 60_000 }, (_, index): RawEntry => ({
      name: `examples/n/input/${index}/`,
    }));
    expect((await importInto(dataset, writeZip(folders))).body).toMatchObject({ created: 1 });
  }, 30_000);

  test('gives the same bytes in the same automation and in another', async () => {
    const dataset = await openDataset();
    await fill(dataset);
    const first = await exportOf(dataset);
    const count = (await namesIn(dataset)).length;
    const replaced = await importInto(dataset, first, 'replace');
    expect([replaced.status, replaced.body]).toEqual([
      200,
      {
        mode: 'replace',
        created: count,
        expectedSet: count - 2,
        deleted: count,
        filesDeleted: expect.any(Number),
      },
    ]);
    expect((await exportOf(dataset)).equals(first)).toBe(true);
    const other = datasetOf(dataset.app, EMPTY);
    expect((await importInto(other, first)).body).toEqual({
      mode: 'append',
      created: count,
      expectedSet: count - 2,
      skipped: 0,
      issues: [],
    });
    expect((await exportOf(other)).equals(first)).toBe(true);
  });

  test('gives the same bytes on another server', async () => {
    const bytes = await exportOf(datasetOf(app));
    const server = await createServer({ store: { kind: 'memory' }, seed: 7 });
    onTestFinished(() => server.close());
    const dataset = `/v1/automations/${EMPTY}/dataset`;
    const key = server.world.keys.wildcard;
    const imported = await call(server.baseUrl, {
      method: 'POST',
      path: `${dataset}/import`,
      key,
      raw: formBytes([{ name: 'file', filename: 'd.zip', bytes }]),
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    });
    expect(imported.body).toMatchObject({ mode: 'append', created: 8, skipped: 0 });
    const again = await call(server.baseUrl, { path: `${dataset}/export`, key });
    expect(again.bytes.equals(bytes)).toBe(true);
  });
});

test('append skips examples whose name is taken, each with a warning', async () => {
  const dataset = datasetOf(app, app.world.fixtures.conflictingWorkflowId);
  await dataset.post('/examples', { name: 'Taken' });
  const archive = writeZip([
    { name: 'examples/taken/input/a.txt', bytes: 'a' },
    { name: 'examples/new/expected/b.txt', bytes: 'b' },
  ]);
  const { status, body } = await importInto(dataset, archive, 'append');
  expect([status, body]).toEqual([
    200,
    {
      mode: 'append',
      created: 1,
      expectedSet: 1,
      skipped: 1,
      issues: [
        {
          field: 'examples/taken',
          message: 'the dataset has an example with this name, so this one was skipped',
          code: 'example_name_conflict',
          severity: 'warning',
        },
      ],
    },
  ]);
  expect(await namesIn(dataset)).toEqual(['Taken', 'new']);
});

test('an archive that another program wrote is read: deflated, with folders and debris', async () => {
  const dataset = await openDataset();
  const archive = writeZip([
    { name: 'examples/' },
    { name: 'examples/one/' },
    { name: 'examples/one/input/' },
    { name: 'examples/one/input/sub/' },
    { name: 'examples/one/input/sub/a.txt', bytes: 'x'.repeat(5000), deflated: true },
    { name: 'examples/one/input.json', bytes: '\ufeff{"a": 1}', deflated: true },
    { name: 'examples/.DS_Store', bytes: '?' },
    { name: '__MACOSX/' },
    { name: '__MACOSX/examples/one/._input.json', bytes: '?' },
  ]);
  expect((await importInto(dataset, archive, 'replace')).body).toMatchObject({ created: 1 });
  const [example] = (await dataset.get('/examples')).body.data;
  expect(example).toMatchObject({ name: 'one', input: { a: 1 }, expected: null });
  const file = await dataset.get(`/examples/${example.id}/input/sub/a.txt`);
  expect(file.bytes.toString()).toBe('x'.repeat(5000));
});

test.each([
  ['in UTF-8 without the flag, as zip on Linux writes it', Buffer.from('Müller 文')],
  ['in CP437', Buffer.from('M\u0081ller', 'latin1')],
])('a name %s is read', async (_how, name) => {
  const dataset = await openDataset();
  const archive = writeZip([
    {
      name: Buffer.concat([Buffer.from('examples/'), name, Buffer.from('/input/a.txt')]),
      flags: 0,
    },
  ]);
  expect((await importInto(dataset, archive, 'replace')).body).toMatchObject({ created: 1 });
  expect(await namesIn(dataset)).toEqual([name.includes('文') ? 'Müller 文' : 'Müller']);
});
