import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { Blobs } from '../../../server-reference/src/store/blobs.ts';
import { emptyFolder } from '../../empty-folder.ts';

async function* once(...chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('half');
  throw new RangeError('gone');
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

async function open(): Promise<{ blobs: Blobs; folder: string }> {
  const folder = emptyFolder();
  return { blobs: await Blobs.open(folder), folder: join(folder, 'blobs') };
}

test('bytes are stored once under their hash, and read in whole and in part', async () => {
  const { blobs, folder } = await open();
  const sha256 = hashOf('0123456789');
  const puts = [1, 2, 3].map(() => blobs.put(once('01234', '56789'), 10));
  expect(await Promise.all(puts)).toEqual(puts.map(() => ({ size: 10, sha256 })));
  expect(await readdir(folder)).toEqual([sha256]);
  expect(await text(blobs.read(sha256))).toBe('0123456789');
  expect(await text(blobs.read(sha256, { start: 2, end: 4 }))).toBe('234');
});

test('more bytes than the limit, and a source that fails, leave nothing', async () => {
  const { blobs, folder } = await open();
  await expect(blobs.put(once('four', 'more'), 7)).rejects.toMatchObject({
    code: 'blob_too_large',
    message: 'The source has more than 7 bytes.',
  });
  await expect(blobs.put(broken(), 100)).rejects.toThrow(RangeError);
  expect(await readdir(folder)).toEqual([]);
});

test.each(['../../data.json', 'x'.repeat(64), '', 'AB'.repeat(32), `${'a'.repeat(64)}\n`])(
  'an invalid hash never becomes a path: %j',
  async (name) => {
    const { blobs } = await open();
    expect(() => blobs.read(name)).toThrow(TypeError);
  },
);

test('the check at the start removes what no record refers to, and no other file', async () => {
  const { blobs, folder } = await open();
  const { sha256 } = await blobs.put(once('named'), 10);
  await blobs.put(once('loose'), 10);
  await writeFile(join(folder, '1.tmp'), 'half a fi');
  await writeFile(join(folder, 'note'), 'mine');
  await blobs.check(new Set([sha256]));
  expect((await readdir(folder)).toSorted()).toEqual([sha256, 'note'].toSorted());
});

test.each([
  ['is missing', null],
  ['was cut off', 'who'],
  ['was changed', 'wrong'],
])('the check at the start names a file that %s', async (_how, content) => {
  const { blobs, folder } = await open();
  const path = join(folder, hashOf('whole'));
  if (content !== null) await writeFile(path, content);
  await expect(blobs.check(new Set([hashOf('whole')]))).rejects.toMatchObject({
    name: 'StoreError',
    code: 'store_corrupt',
    message: expect.stringContaining(path),
  });
});

test('a temporary folder is removed at the end, and what the package ships is not', async () => {
  const path = join(emptyFolder(), 'an asset.txt');
  await writeFile(path, 'shipped');
  const sha256 = hashOf('shipped');
  const blobs = await Blobs.openTemporary(new Map([[sha256, path]]));
  expect(await blobs.has(sha256)).toBe(true);
  expect(await text(blobs.read(sha256))).toBe('shipped');
  await blobs.put(once('whole'), 10);
  await blobs.put(once('shipped'), 10);
  const folder = dirname(blobs.pathOf(hashOf('whole')));
  expect(await readdir(folder)).toContain(hashOf('whole'));
  await blobs.close();
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
  expect(await readFile(path, 'utf8')).toBe('shipped');
});
