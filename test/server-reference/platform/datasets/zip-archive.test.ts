import { finished } from 'node:stream/promises';
import { Readable } from 'node:stream';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ArchiveEntries } from '../../../../server-reference/src/platform/datasets/zip-archive.ts';
import {
  zipArchive,
  zipLength,
} from '../../../../server-reference/src/platform/datasets/zip-archive.ts';
import { readZip } from './read-zip.ts';

function fileOf(name: string, size: number): ArchiveEntries['files'][number] {
  return { name, size };
}

/** A stream of `size` bytes. */
async function open({ size }: { size: number }): Promise<Readable> {
  return Readable.from([Buffer.alloc(size, 'x')]);
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('zipArchive', () => {
  test('has the announced length and all entries', async () => {
    const name = fc.stringMatching(/^[a-z]{1,40}(\/[a-zé]{1,40})?$/u);
    const entries = fc.record({
      folders: fc.uniqueArray(name, { maxLength: 4 }),
      files: fc
        .uniqueArray(fc.tuple(name, fc.integer({ min: 0, max: 3000 })), {
          selector: ([one]) => one,
          maxLength: 6,
        })
        .map((pairs) => pairs.map(([one, size]) => fileOf(one, size))),
    });
    await fc.assert(
      fc.asyncProperty(entries, async (given) => {
        const bytes = await collect(zipArchive(given, open));
        expect(bytes.length).toBe(zipLength(given));
        const read = await readZip(bytes);
        expect(read.map((entry) => [entry.name, entry.bytes?.length ?? null])).toEqual([
          ...given.folders.map((folder) => [`${folder}/`, null]),
          ...given.files.map((file) => [file.name, file.size]),
        ]);
      }),
      { numRuns: 40 },
    );
  });

  test('has the announced length with a large directory', async () => {
    for (const count of [600, 1200, 2000]) {
      const files = Array.from({ length: count }, (_, index) => fileOf(`examples/n${index}/a`, 1));
      const folders = files.map(({ name }) => `${name}-folder`);
      const bytes = await collect(zipArchive({ folders, files }, open));
      expect(bytes.length, String(count)).toBe(zipLength({ folders, files }));
      expect(await readZip(bytes)).toHaveLength(2 * count);
    }
  });

  test('accepts thousands of empty folders', async () => {
    const folders = Array.from({ length: 20_000 }, (_, index) => `examples/n${index}/input`);
    const archive = { folders, files: [fileOf('x', 1)] };
    expect((await collect(zipArchive(archive, open))).length).toBe(zipLength(archive));
  });

  test('accepts thousands of files', async () => {
    const files = Array.from({ length: 20_000 }, (_, index) => fileOf(`examples/n${index}/a`, 3));
    const archive = { folders: [], files };
    const bytes = await collect(zipArchive(archive, async () => Buffer.from('{}\n')));
    expect(bytes.length).toBe(zipLength(archive));
  });

  test('knows the length of files beyond 4 GiB without reading them', () => {
    const size = 5 * 2 ** 30;
    const two = zipLength({ folders: [], files: [fileOf('a', size), fileOf('b', size)] });
    expect(two).toBeGreaterThan(2 * size);
    expect(two).toBeLessThan(2 * size + 1000);
  });

  test('buffers a few blocks of a large file, and opens one file at a time', async () => {
    const block = Buffer.alloc(64 * 1024, 'x');
    let produced = 0;
    let consumed = 0;
    let isOpen = 0;
    let most = 0;
    async function* blocks(size: number): AsyncGenerator<Buffer> {
      isOpen += 1;
      expect(isOpen).toBe(1);
      for (let left = size; left > 0; left -= block.length) {
        produced += block.length;
        most = Math.max(most, produced - consumed);
        yield block;
      }
      isOpen -= 1;
    }
    const size = 8 * 1024 * 1024;
    const files = ['a', 'b', 'c'].map((name) => fileOf(name, size));
    const archive = zipArchive({ folders: [], files }, async (file) =>
      Readable.from(blocks(file.size)),
    );
    for await (const chunk of archive) consumed += (chunk as Buffer).length;
    expect(consumed).toBe(zipLength({ folders: [], files }));
    expect(most).toBeLessThan(4 * 1024 * 1024);
  });

  test('opens nothing before it is read', async () => {
    let opened = 0;
    const archive = zipArchive({ folders: [], files: [fileOf('a', 1)] }, (file) => {
      opened += 1;
      return open(file);
    });
    archive.destroy();
    await finished(archive).catch(() => {});
    expect(opened).toBe(0);
  });

  test('closes the open file when the reader disconnects', async () => {
    let source: Readable | undefined;
    const files = [fileOf('a', 2 ** 30), fileOf('b', 1)];
    const archive = zipArchive({ folders: [], files }, async () => {
      source = new Readable({ read: () => void source?.push(Buffer.alloc(64 * 1024)) });
      return source;
    });
    for await (const chunk of archive) if ((chunk as Buffer).length > 1000) break;
    expect(archive.destroyed).toBe(true);
    if (source !== undefined) await finished(source).catch(() => {});
    expect(source?.destroyed).toBe(true);
  });

  test.each([
    ['cannot be opened', async () => Promise.reject(new Error('gone'))],
    ['breaks off', async () => Readable.from(breaking())],
    ['is shorter than its entry says', async () => Readable.from([Buffer.alloc(9)])],
    ['is longer than its entry says', async () => Readable.from([Buffer.alloc(11)])],
  ])('ends with an error if a file %s', async (_what, openSecond) => {
    const files = [fileOf('a', 10), fileOf('b', 10), fileOf('c', 10)];
    const archive = zipArchive({ folders: [], files }, (file) =>
      file.name === 'b' ? openSecond() : open(file),
    );
    const chunks: Buffer[] = [];
    archive.on('data', (chunk: Buffer) => chunks.push(chunk));
    await expect(finished(archive)).rejects.toThrow(/gone|unexpected number of bytes/);
    await expect(readZip(Buffer.concat(chunks))).rejects.toThrow();
  });
});

async function* breaking(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(5);
  throw new Error('gone');
}
