import { crc32 } from 'node:zlib';

import { fromBufferPromise, getFileNameLowLevel } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

import { Inconclusive } from '../../../verdict/findings.ts';

/** The files of an archive by path, without entries of folders. */
export type Archive = ReadonlyMap<string, Buffer>;

const MAX_CONTENT_BYTES = 64 * 1024 * 1024;

/** The bytes are not a complete ZIP archive. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly code = 'archive_unreadable';
}

/**
 * Unpacks a ZIP archive in memory and verifies sizes and checksums. Throws `ArchiveError` for an invalid archive, and
 * `Inconclusive` for one that unpacks to more than 64 MiB.
 */
export async function readArchive(bytes: Uint8Array): Promise<Archive> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes), {
      lazyEntries: true,
      // Decoded names would have slashes in place of their backslashes.
      decodeStrings: false,
    });
    return await unpack(zip);
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof Inconclusive) throw error;
    throw new ArchiveError(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

async function unpack(zip: ZipFile): Promise<Archive> {
  const files = new Map<string, Buffer>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    if (name.endsWith('/')) continue;
    if (files.has(name)) {
      throw new ArchiveError(`the archive has two entries named ${name}`);
    }
    unpacked += entry.uncompressedSize;
    if (unpacked > MAX_CONTENT_BYTES) {
      throw new Inconclusive(`The archive unpacks to more than ${MAX_CONTENT_BYTES} bytes.`);
    }
    files.set(name, await contentOf(zip, entry, name));
  }
  return files;
}

/** The name as it is written, backslashes too. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}

async function contentOf(zip: ZipFile, entry: Entry, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    chunks.push(Buffer.from(chunk));
  }
  const content = Buffer.concat(chunks);
  if (crc32(content) !== entry.crc32) {
    throw new ArchiveError(`the checksum of the entry ${name} is wrong`);
  }
  return content;
}
