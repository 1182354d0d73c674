import { crc32, inflateRawSync } from 'node:zlib';

import { fromBufferPromise, getFileNameLowLevel } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

import { Inconclusive } from '../../../verdict/findings.ts';

/** The files of an archive by path, without entries of folders. */
export type Archive = ReadonlyMap<string, Buffer>;

/** The usual compression method. A stream for each of the many small files of a dataset takes five times as long. */
const DEFLATE = 8;
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
  const isDeflated = entry.compressionMethod === DEFLATE;
  const chunks: Buffer[] = [];
  const stream = await zip.openReadStreamPromise(entry, { decompress: isDeflated ? false : null });
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  const bytes = Buffer.concat(chunks);
  const maxOutputLength = entry.uncompressedSize + 1;
  const content = isDeflated ? inflateRawSync(bytes, { maxOutputLength }) : bytes;
  if (content.length !== entry.uncompressedSize) {
    throw new ArchiveError(`the size of the entry ${name} is wrong`);
  }
  if (crc32(content) !== entry.crc32) {
    throw new ArchiveError(`the checksum of the entry ${name} is wrong`);
  }
  return content;
}
