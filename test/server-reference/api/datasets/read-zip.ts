import { crc32 } from 'node:zlib';

import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { expect } from 'vitest';

/** An entry of an archive; a folder has no bytes. */
interface ZipEntry {
  readonly name: string;
  readonly bytes: string | null;
}

/** Returns the entries of an archive in order; fails if it is incomplete or a name is unsafe. */
export async function readZip(archive: Buffer): Promise<ZipEntry[]> {
  const zip = await fromBufferPromise(archive, { strictFileNames: true });
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const isFolder = entry.fileName.endsWith('/');
    entries.push({
      name: entry.fileName,
      bytes: isFolder ? null : await readEntry(zip, entry),
    });
  }
  return entries;
}

/** Yields the flags and the compression method of each entry, as a reader of the stream finds them. */
export function* localHeaders(archive: Buffer): Generator<{ flags: number; method: number }> {
  const signature = Buffer.from('PK\u0003\u0004');
  for (let at = archive.indexOf(signature); at !== -1; at = archive.indexOf(signature, at + 4)) {
    yield { flags: archive.readUInt16LE(at + 6), method: archive.readUInt16LE(at + 8) };
  }
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  expect(crc32(bytes), entry.fileName).toBe(entry.crc32);
  return bytes.toString();
}
