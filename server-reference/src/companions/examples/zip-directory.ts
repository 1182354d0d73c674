import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

import { fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

import type { Blobs, StoredBytes } from '../../store/blobs.ts';

/** The bytes are not a ZIP archive that this server reads. The message continues the name of the part. */
export class UnreadableArchive extends Error {
  override readonly name = 'UnreadableArchive';
  readonly code = 'archive_unreadable';
}

/** A file of an archive, by its directory. */
export interface ZipMember {
  /** As the archive has it. It may lead out of a folder. */
  readonly name: string;
  /** Bytes when unpacked, as the directory declares them. */
  readonly size: number;
  /**
   * Yields the bytes, unpacked.
   *
   * @throws {UnreadableArchive} for bytes that differ from the size or the checksum of the directory
   */
  read(): AsyncGenerator<Uint8Array, void, undefined>;
}

/** An archive whose directory is read. */
export interface ZipDirectory {
  /** Without the entries of folders. */
  readonly files: readonly ZipMember[];
  /** The entries of folders, without a slash at the end. */
  readonly folders: readonly string[];
  readonly comment: string;
}

/**
 * Reads the directory of a stored ZIP archive. Only the directory is in memory.
 *
 * @throws {UnreadableArchive} also for more than `maxEntries` entries
 */
export async function readZipDirectory(
  blobs: Blobs,
  archive: StoredBytes,
  maxEntries: number,
): Promise<ZipDirectory> {
  const files: ZipMember[] = [];
  const folders: string[] = [];
  const reader = new BlobReader(blobs, archive);
  // yauzl refuses an unsafe name without naming it, so its reader checks it instead.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  try {
    const zip = await fromRandomAccessReaderPromise(reader, archive.size, options);
    for await (const entry of zip.eachEntry()) {
      if (files.length + folders.length === maxEntries) {
        throw new UnreadableArchive(`must have at most ${maxEntries} entries`);
      }
      refuseEntry(entry);
      const name = nameOf(entry);
      if (name.endsWith('/')) folders.push(name.slice(0, -1));
      else files.push({ name, size: entry.uncompressedSize, read: () => unpack(zip, entry) });
    }
    // A Buffer, because strings are not decoded.
    const comment: unknown = zip.comment;
    return { files, folders, comment: String(comment) };
  } catch (error) {
    throw asUnreadable(error);
  }
}

const UTF_8_NAME = 0x800;

/** Info-ZIP's `zip` on Linux writes names in UTF-8 without the flag that says so. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF_8_NAME : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
}

const SYMBOLIC_LINK = 0o120_000;
const FILE_TYPE = 0o170_000;

function refuseEntry(entry: Entry): void {
  if (entry.isEncrypted()) throw new UnreadableArchive('must not be encrypted');
  if (!entry.canDecodeFileData()) {
    throw new UnreadableArchive('must have only entries that are stored or deflated');
  }
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK) {
    throw new UnreadableArchive('must not contain symbolic links');
  }
}

async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void, undefined> {
  let sum = 0;
  try {
    const unpacked: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const chunk of unpacked) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (cause) {
    throw damaged(cause);
  }
  if (sum !== entry.crc32) throw damaged();
}

function damaged(cause?: unknown): UnreadableArchive {
  const message = 'has a file whose bytes differ from its size or checksum';
  return new UnreadableArchive(message, { cause });
}

const WINDOW_BYTES = 65_536;

/** Reads the bytes of a blob, those of the directory a window at a time. */
class BlobReader extends RandomAccessReader {
  readonly #blobs: Blobs;
  readonly #archive: StoredBytes;
  #window = { start: 0, bytes: Buffer.alloc(0) };

  constructor(blobs: Blobs, archive: StoredBytes) {
    super();
    this.#blobs = blobs;
    this.#archive = archive;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes(start, end - 1));
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#load(position, length).then((bytes) => {
      bytes.copy(target, offset);
      callback(null);
    }, callback);
  }

  async #load(start: number, length: number): Promise<Buffer> {
    const { size } = this.#archive;
    if (start + length > size) throw new UnreadableArchive('ends before its directory');
    let first = start - this.#window.start;
    if (first < 0 || first + length > this.#window.bytes.length) {
      const end = Math.min(size, start + Math.max(length, WINDOW_BYTES)) - 1;
      this.#window = { start, bytes: await buffer(this.#bytes(start, end)) };
      first = 0;
    }
    return this.#window.bytes.subarray(first, first + length);
  }

  async *#bytes(start: number, end: number): AsyncGenerator<Buffer, void, undefined> {
    yield* await this.#blobs.openUnchecked(this.#archive, { start, end });
  }
}

function asUnreadable(error: unknown): UnreadableArchive {
  if (error instanceof UnreadableArchive) return error;
  return new UnreadableArchive('must be a complete ZIP archive', { cause: error });
}
