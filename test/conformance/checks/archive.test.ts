import { buffer } from 'node:stream/consumers';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';

import {
  ArchiveError,
  readArchive,
} from '../../../conformance/src/checks/api/operations/archive.ts';

interface Member {
  readonly name: string;
  readonly content: Buffer;
  readonly compress?: boolean;
}

function pack(members: readonly Member[], folders: readonly string[] = []): Promise<Buffer> {
  const zip = new ZipFile();
  for (const folder of folders) zip.addEmptyDirectory(folder);
  for (const { name, content, compress = true } of members) {
    zip.addBuffer(content, name, { compress });
  }
  zip.end();
  return buffer(zip.outputStream);
}

const HELLO: Member = { name: 'a/hello.txt', content: Buffer.from('hello'), compress: false };

describe('an archive', () => {
  test('gives back what was packed, in any order, compressed or not', async () => {
    const name = fc.stringMatching(/^[a-zäöü0-9 ]{1,8}(\/[a-z]{1,8}){0,2}\.txt$/);
    const content = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    const member = fc.record({ name, content, compress: fc.boolean() });
    const members = fc.uniqueArray(member, { selector: (one) => one.name, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(members, async (packed) => {
        const files = await readArchive(await pack(packed));
        expect([...files]).toEqual(packed.map((one) => [one.name, one.content]));
      }),
      { numRuns: 50 },
    );
  });

  test('has no files where it has entries for folders', async () => {
    const files = await readArchive(await pack([HELLO], ['a', 'b/c']));
    expect([...files.keys()]).toEqual(['a/hello.txt']);
  });

  test('is empty where nothing was packed', async () => {
    expect((await readArchive(await pack([]))).size).toBe(0);
  });

  test.each(['', '{"files":[]}', ' '.repeat(1000)])('is not %j', async (text) => {
    await expect(readArchive(Buffer.from(text))).rejects.toThrow(ArchiveError);
  });

  test('is not what was cut short', async () => {
    const whole = await pack([HELLO]);
    for (const length of [whole.length - 1, whole.length - 22, 40]) {
      await expect(readArchive(whole.subarray(0, length))).rejects.toThrow(ArchiveError);
    }
  });

  test('is not what has other bytes than its checksums say', async () => {
    const changed = await pack([HELLO]);
    changed.write('jello', changed.indexOf('hello', 40));
    const files = readArchive(changed);
    await expect(files).rejects.toMatchObject({ code: 'archive_unreadable' });
  });

  test('rejects two entries of one name', async () => {
    await expect(readArchive(await pack([HELLO, HELLO]))).rejects.toThrow(
      'the archive has two entries named a/hello.txt',
    );
  });

  test('is not unpacked beyond 64 MiB', async () => {
    const large = await pack([{ ...HELLO, compress: true }]);
    // The size that the directory of the archive gives for its one entry.
    large.writeUInt32LE(65 * 1024 * 1024, large.indexOf('PK\u0001\u0002') + 24);
    await expect(readArchive(large)).rejects.toMatchObject({ code: 'inconclusive' });
  });
});
