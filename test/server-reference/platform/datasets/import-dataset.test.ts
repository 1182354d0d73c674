import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createServer } from '@hookproof/server-reference';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import { formBytes } from '../files/file-server.ts';
import { datasetOf, importInto, openDataset, refusal } from './dataset-app.ts';
import type { DatasetApp } from './dataset-app.ts';
import { readZip } from './read-zip.ts';
import { writeZip } from './write-zip.ts';
import type { RawEntry } from './write-zip.ts';

const app = await openApp();
const inFolder = await openApp({ store: { kind: 'folder', path: await makeFolder() } });
afterAll(async () => {
  await app.close();
  await inFolder.close();
});

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'hookproof-test-'));
  afterAll(() => rm(path, { recursive: true }));
  return path;
}

async function exportOf({ get }: DatasetApp): Promise<Buffer> {
  const { status, bytes } = await get('/dataset/export');
  expect(status).toBe(200);
  return bytes;
}

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

const A = { name: 'examples/one/input/a.txt', bytes: 'a' };
const COMPLETE = writeZip([A, { name: 'examples/one/expected.json', bytes: '1' }]);
const LINK = 0o120777;
const ENCRYPTED = 0x801;

const HOSTILE: readonly [what: string, archive: Buffer | readonly RawEntry[], message: string][] = [
  ['no archive', Buffer.from('PK but no archive'), 'must be a complete ZIP archive'],
  ['an empty file', Buffer.alloc(0), 'must be a complete ZIP archive'],
  ['a truncated archive', COMPLETE.subarray(0, -10), 'must be a complete ZIP archive'],
  ['an archive without its start', COMPLETE.subarray(40), 'must be a complete ZIP archive'],
  ['a directory beyond the archive', badDirectory(), 'ends before its directory'],
  [
    'a file outside of examples',
    [{ name: 'readme.txt' }],
    'has an entry that is no part of an example: "readme.txt"',
  ],
  [
    'a file beside the folders',
    [{ name: 'examples/one/notes.txt' }],
    'has an entry that is no part of an example',
  ],
  [
    'a file as an example',
    [{ name: 'examples/one' }],
    'has an entry that is no part of an example',
  ],
  [
    'a path out of the folder',
    [{ name: 'examples/one/input/../../../up' }],
    'must be a complete ZIP archive',
  ],
  ['an absolute path', [{ name: '/examples/one/input/a' }], 'must be a complete ZIP archive'],
  [
    'a drive letter',
    [{ name: 'examples/one/input/C:a' }],
    'must not have a segment that starts with a drive letter',
  ],
  ['a backslash', [{ name: 'examples\\one\\input\\a' }], 'must be a complete ZIP archive'],
  ['an empty segment', [{ name: 'examples/one/input//a' }], 'must not have an empty segment'],
  [
    'a name that a system cuts off',
    [{ name: 'examples/one /input/a' }],
    'must not have a segment that ends with a dot or a blank',
  ],
  [
    'a control character',
    [{ name: 'examples/one/input/a\u0007' }],
    'must not contain a control character',
  ],
  ['a name twice', [A, A], 'has two entries with the name "examples/one/input/a.txt"'],
  [
    'files that differ in case',
    [A, { name: 'examples/one/input/A.TXT' }],
    'has two names that differ only in case',
  ],
  [
    'examples that differ in case',
    [A, { name: 'examples/ONE/input/b.txt' }],
    'has two names that differ only in case',
  ],
  [
    'a file that is a folder too',
    [{ name: 'examples/one/input/a' }, { name: 'examples/one/input/A/b' }],
    'has a file and a folder with the name',
  ],
  [
    'a wrong checksum',
    [{ ...A, crc: 1 }],
    'has a file whose bytes differ from its size or checksum',
  ],
  [
    'more bytes than declared',
    [{ ...A, bytes: 'x'.repeat(100), size: 5, deflated: true }],
    'has a file whose bytes differ from its size or checksum',
  ],
  [
    'fewer bytes than declared',
    [{ ...A, size: 5, deflated: true }],
    'has a file whose bytes differ from its size or checksum',
  ],
  ['bytes that are not deflated', [{ ...A, method: 8 }], 'must be a complete ZIP archive'],
  [
    'an unknown compression',
    [{ ...A, method: 14 }],
    'must have only entries that are stored or deflated',
  ],
  ['an encrypted file', [{ ...A, flags: ENCRYPTED, deflated: true }], 'must not be encrypted'],
  [
    'a symbolic link',
    [{ ...A, bytes: '/etc/passwd', mode: LINK }],
    'must not contain symbolic links',
  ],
  [
    'an older expected output',
    [{ name: 'examples/one/expected/output.json', bytes: '{}' }],
    'has the layout of an older export',
  ],
  [
    'an older expected error',
    [{ name: 'examples/one/expected/error.json', bytes: '{}' }],
    'has the layout of an older export',
  ],
  [
    'older arguments',
    [{ name: 'examples/one/input/arguments.json', bytes: '{}' }],
    'has the layout of an older export',
  ],
  [
    'a manifest',
    [A, { name: 'manifest.json', bytes: '{}' }],
    'has the layout of an older export: "manifest.json"',
  ],
  [
    'an input that is no JSON',
    [{ name: 'examples/one/input.json', bytes: '{' }],
    'must have JSON in UTF-8 in examples/one/input.json',
  ],
  [
    'an input in another encoding',
    [{ name: 'examples/one/input.json', bytes: Buffer.from([0xff]) }],
    'must have JSON in UTF-8',
  ],
  [
    'an input that is no object',
    [{ name: 'examples/one/input.json', bytes: '[]' }],
    'must have a JSON object in examples/one/input.json',
  ],
  [
    'a number beyond a double',
    [{ name: 'examples/one/expected.json', bytes: '1e400' }],
    'must have JSON in UTF-8',
  ],
  [
    'JSON that is nested deeply',
    [{ name: 'examples/one/expected.json', bytes: '['.repeat(600) + ']'.repeat(600) }],
    'must have JSON in UTF-8',
  ],
];

/** The offset of the directory points behind the end. */
function badDirectory(): Buffer {
  const archive = Buffer.from(COMPLETE);
  archive.writeUInt32LE(archive.length + 1000, archive.length - 6);
  return archive;
}

describe.each([
  ['append', 'memory', app],
  ['replace', 'memory', app],
  ['append', 'folder', inFolder],
  ['replace', 'folder', inFolder],
])('mode %s (%s)', (mode, _store, place) => {
  test.each(HOSTILE)(
    'refuses %s with 400, and changes nothing',
    async (_what, archive, message) => {
      const dataset = datasetOf(place);
      const before = await exportOf(dataset);
      const good = { name: 'examples/aa good/input/a.txt', bytes: 'good' };
      const bytes = Buffer.isBuffer(archive) ? archive : writeZip([good, ...archive]);
      const [status, code, field, said] = refusal(await importInto(dataset, bytes, mode));
      expect([status, code, field]).toEqual([400, expect.stringMatching(/^invalid_/), 'file']);
      expect(said).toContain(message);
      expect((await exportOf(dataset)).equals(before)).toBe(true);
    },
  );

  test.each([
    [
      'an archive that unpacks to too much',
      [{ ...A, size: 4_000_000_000, deflated: true }],
      'must unpack to at most',
    ],
    [
      'a small archive of many bytes',
      [{ ...A, bytes: Buffer.alloc(1_100_000), deflated: true }],
      'must unpack to at most 1048576 bytes, got 1100004',
    ],
  ])('refuses %s with 413, and changes nothing', async (_what, entries, message) => {
    const dataset = datasetOf(place);
    const before = await exportOf(dataset);
    const bytes = writeZip([{ name: 'examples/aa good/input/a.txt', bytes: 'good' }, ...entries]);
    const [status, code, field, said] = refusal(await importInto(dataset, bytes, mode));
    expect([status, code, field]).toEqual([413, 'payload_too_large', 'file']);
    expect(said).toContain(message);
    expect((await exportOf(dataset)).equals(before)).toBe(true);
  });
});

test('refuses an unknown mode, and a form without a file', async () => {
  const dataset = datasetOf(app);
  expect(refusal(await importInto(dataset, COMPLETE, 'merge'))).toEqual([
    400,
    'invalid_value',
    'mode',
    'must be one of append, replace, got "merge"',
  ]);
  expect(refusal(await dataset.form('/dataset/import', []))).toEqual([
    400,
    'invalid_value',
    'file',
    'is required',
  ]);
});

test('refuses an archive that is cut off at any place', async () => {
  const dataset = await openDataset();
  const whole = await exportOf(dataset);
  for (let index = 0; index < 40; index += 1) {
    const end = Math.floor((whole.length * index) / 40);
    expect((await importInto(dataset, whole.subarray(0, end))).status).toBe(400);
  }
});
