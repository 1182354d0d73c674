import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import type { Blobs } from '../../../server-reference/src/store/blobs.ts';
import { openFolderBlobs } from '../../../server-reference/src/store/folder-blobs.ts';
import { openFolderStore } from '../../../server-reference/src/store/open-storage.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import { blobsContract, hashOf, once } from './blobs-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string): Promise<Blobs> {
  return openFolderBlobs(folder, { check: async () => {} });
}

blobsContract('blobs in a folder', async () => open(await temporaryFolder()));

test('bytes are stored under their hash, once, and outlive the process', async () => {
  const folder = await temporaryFolder();
  const blobs = await open(folder);
  await Promise.all([1, 2, 3].map(() => blobs.put(once('equal'), 10)));
  const hash = hashOf('equal');
  expect(await filesBelow(folder)).toEqual([join('blobs', hash.slice(0, 2), hash)]);
  const again = await open(folder);
  expect(await buffer(await again.open({ size: 5, sha256: hash }))).toEqual(Buffer.from('equal'));
});

test('a refused put leaves no file', async () => {
  const folder = await temporaryFolder();
  const blobs = await open(folder);
  await expect(blobs.put(once('too long'), 3)).rejects.toThrow('The source has more than 3 bytes.');
  expect(await filesBelow(folder)).toEqual([]);
});

test('temporary files that a kill left are removed at the start', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'blobs', 'incoming'), { recursive: true });
  await writeFile(join(folder, 'blobs', 'incoming', '1'), 'half a fi');
  const blobs = await open(folder);
  expect(await filesBelow(folder)).toEqual([]);
  expect(await blobs.put(once('next'), 10)).toMatchObject({ size: 4 });
});

test.each([
  ['truncated', 'wh'],
  ['changed at the same length', 'wrong'],
])('a file that another process %s is repaired by the next put', async (_how, damaged) => {
  const folder = await temporaryFolder();
  const blobs = await open(folder);
  const { sha256 } = await blobs.put(once('whole'), 10);
  const path = join(folder, 'blobs', sha256.slice(0, 2), sha256);
  await writeFile(path, damaged);
  await blobs.put(once('whole'), 10);
  expect(await readFile(path, 'utf8')).toBe('whole');
});

test.each(['../../state.json', 'x'.repeat(64), '', 'AB'.repeat(32), `${'a'.repeat(64)}\n`])(
  'an invalid hash never becomes a path: %j',
  async (name) => {
    const blobs = await open(await temporaryFolder());
    await expect(blobs.has(name)).rejects.toThrow(TypeError);
    await expect(blobs.open({ size: 0, sha256: name })).rejects.toThrow(TypeError);
  },
);

const LARGE = 'large '.repeat(50_000);

describe.each([
  ['cut off', (text: string) => text.slice(1)],
  ['longer', (text: string) => `${text}!`],
  ['of the same length', (text: string) => `?${text.slice(1)}`],
])('a file that became %s', (_what, damage) => {
  test.each([
    ['small', 'whole'],
    ['large', LARGE],
  ])('is never read as the whole of its bytes: %s', async (_size, text) => {
    const folder = await temporaryFolder();
    const blobs = await open(folder);
    const stored = await blobs.put(once(text), text.length);
    const { sha256 } = stored;
    await writeFile(join(folder, 'blobs', sha256.slice(0, 2), sha256), damage(text));
    const damaged = { code: 'blob_damaged', message: expect.stringContaining(sha256) };
    await expect(blobs.read(stored)).rejects.toMatchObject(damaged);
    await expect(blobs.open(stored)).rejects.toMatchObject(damaged);
    await expect(blobs.open(stored, { start: 0, end: 2 })).rejects.toMatchObject(damaged);
  });
});

test('a sweep leaves foreign files', async () => {
  const folder = await temporaryFolder();
  const blobs = await open(folder);
  await mkdir(join(folder, 'blobs', 'ab'));
  await writeFile(join(folder, 'blobs', 'ab', 'note'), 'mine');
  blobs.release((await blobs.put(once('loose'), 10)).sha256);
  await blobs.sweep(
    () => new Set(),
    async () => {},
  );
  expect(await filesBelow(folder)).toEqual([join('blobs', 'ab', 'note')]);
});

test('a server that lost its lock stores and removes nothing', async () => {
  const folder = await temporaryFolder();
  const first = await openFolderStore(folder, emptyState(1, 'token'));
  const old = await openFolderBlobs(folder, first.lock);
  await rm(join(folder, 'lock'));
  const second = await openFolderStore(folder, emptyState(1, 'token'));
  const blobs = await openFolderBlobs(folder, second.lock);
  const { sha256 } = await blobs.put(once('kept'), 10);
  const locked = expect.stringContaining('is in use by another server');
  await expect(old.put(once('lost'), 10)).rejects.toMatchObject({
    code: 'store_bytes_failed',
    message: locked,
  });
  const sweep = old.sweep(
    () => new Set(),
    async () => {},
  );
  await expect(sweep).rejects.toMatchObject({ code: 'store_locked', message: locked });
  expect(await blobs.has(sha256)).toBe(true);
  await second.store.close();
  await first.store.close();
});

test('an error says that bytes cannot be written, or that the folder cannot be used', async () => {
  const folder = await temporaryFolder();
  const blobs = await open(folder);
  const shelf = hashOf('blocked').slice(0, 2);
  await writeFile(join(folder, 'blobs', shelf), 'in the way');
  await expect(blobs.put(once('blocked'), 10)).rejects.toMatchObject({
    name: 'StoreError',
    code: 'store_bytes_failed',
    message: expect.stringMatching(
      /^The bytes of a file could not be written \(.+\)\. Free disk space\.$/,
    ),
  });
  const other = await temporaryFolder();
  await writeFile(join(other, 'blobs'), 'in the way');
  await expect(open(other)).rejects.toMatchObject({ code: 'store_unusable_folder' });
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
