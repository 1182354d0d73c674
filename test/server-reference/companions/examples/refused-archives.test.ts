import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { openApp } from '../../open-app.ts';
import {
  datasetOf,
  exportOf,
  importInto,
  openDataset,
  refusal,
} from '../../api/datasets/dataset-app.ts';
import { writeZip } from '../../api/datasets/write-zip.ts';
import type { RawEntry } from '../../api/datasets/write-zip.ts';

const app = await openApp();
const folder = await mkdtemp(join(tmpdir(), 'hookproof-test-'));
const inFolder = await openApp({ store: { kind: 'folder', path: folder } });
afterAll(async () => {
  await app.close();
  await inFolder.close();
  await rm(folder, { recursive: true });
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
    'must not have a segment . or ..',
  ],
  [
    'a path out of the examples',
    [{ name: 'examples/../input/a' }],
    'must not have a segment . or ..',
  ],
  ['a folder out of the examples', [{ name: 'examples/../' }], 'must not have a segment . or ..'],
  [
    'an absolute path',
    [{ name: '/examples/one/input/a' }],
    'has an entry that is no part of an example: "/examples/one/input/a"',
  ],
  [
    'a drive letter',
    [{ name: 'examples/one/input/C:a' }],
    'must not have a segment that starts with a drive letter',
  ],
  [
    'backslashes for slashes',
    [{ name: 'examples\\one\\input\\a' }],
    'has an entry that is no part of an example: "examples',
  ],
  ['a backslash in a name', [{ name: 'examples/one/input/a\\b' }], 'must not contain a backslash'],
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
  [
    'bytes that are not deflated',
    [{ ...A, method: 8 }],
    'has a file whose bytes differ from its size or checksum',
  ],
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
  async function expectRefusal(
    archive: Buffer | readonly RawEntry[],
    expected: readonly unknown[],
    message: string,
  ): Promise<void> {
    const dataset = datasetOf(place);
    const before = await exportOf(dataset);
    const good = { name: 'examples/aa good/input/a.txt', bytes: 'good' };
    const bytes = Buffer.isBuffer(archive) ? archive : writeZip([good, ...archive]);
    const [status, code, field, said] = refusal(await importInto(dataset, bytes, mode));
    expect([status, code, field]).toEqual([...expected, 'file']);
    expect(said).toContain(message);
    expect((await exportOf(dataset)).equals(before)).toBe(true);
  }

  test.each(HOSTILE)('refuses %s with 400, and changes nothing', (_what, archive, message) =>
    expectRefusal(archive, [400, expect.stringMatching(/^invalid_/)], message),
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
  ])('refuses %s with 413, and changes nothing', (_what, entries, message) =>
    expectRefusal(entries, [413, 'payload_too_large'], message),
  );
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
