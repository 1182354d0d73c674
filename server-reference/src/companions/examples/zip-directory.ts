import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';

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
}

/** An archive whose directory is read. */
export interface ZipDirectory {
  /** Without the entries of folders. */
  readonly files: readonly ZipMember[];
  /** The entries of folders, without a slash at the end. */
  readonly folders: readonly string[];
  readonly comment: string;
  /**
   * Yields the bytes of a file, unpacked.
   *
   * @throws {UnreadableArchive} for bytes that differ from the size or the checksum of the directory
   */
  read(member: ZipMember): AsyncGenerator<Uint8Array, void, undefined>;
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
  const entries = new Map<ZipMember, Entry>();
  const folders: string[] = [];
  const reader = new BlobReader(blobs, archive);
  // yauzl refuses an unsafe name without naming it, so its reader checks it instead.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  try {
    const zip = await fromRandomAccessReaderPromise(reader, archive.size, options);
    for await (const entry of zip.eachEntry()) {
      if (entries.size + folders.length === maxEntries) {
        throw new UnreadableArchive(`must have at most ${maxEntries} entries`);
      }
      refuseEntry(entry);
      const name = nameOf(entry);
      if (name.endsWith('/')) folders.push(name.slice(0, -1));
      else entries.set({ name, size: entry.uncompressedSize }, entry);
    }
    // A Buffer, because strings are not decoded.
    const comment: unknown = zip.comment;
    return {
      files: [...entries.keys()],
      folders,
      comment: String(comment),
      read: (member) => unpack(blobs, archive, zip, entries.get(member)),
    };
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

const STORED = 0;

async function* unpack(
  blobs: Blobs,
  archive: StoredBytes,
  zip: ZipFile,
  entry: Entry | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry === undefined) throw new TypeError('The member is of another archive.');
  const { compressedSize, compressionMethod, uncompressedSize } = entry;
  let size = 0;
  let sum = 0;
  try {
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const end = start + compressedSize - 1;
    if (end >= archive.size) throw new UnreadableArchive('ends inside a file');
    const packed = compressedSize === 0 ? [] : await blobs.open(archive, { start, end });
    const unpacked = compressionMethod === STORED ? packed : inflate(packed);
    for await (const chunk of unpacked) {
      size += chunk.length;
      if (size > uncompressedSize) break;
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw asUnreadable(error);
  }
  if (size === uncompressedSize && sum === entry.crc32) return;
  throw new UnreadableArchive('has a file whose bytes differ from its size or checksum');
}

/** Ends the inflation when the reader stops early. */
async function* inflate(
  packed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const inflater = createInflateRaw();
  const flowing = pipeline(packed, inflater).catch(() => undefined);
  try {
    yield* inflater;
  } finally {
    inflater.destroy();
    await flowing;
  }
}

const WINDOW_BYTES = 65_536;

/** Reads the bytes of a blob from any offset, a window at a time. */
class BlobReader extends RandomAccessReader {
  readonly #blobs: Blobs;
  readonly #archive: StoredBytes;
  #window = { start: 0, bytes: Buffer.alloc(0) };

  constructor(blobs: Blobs, archive: StoredBytes) {
    super();
    this.#blobs = blobs;
    this.#archive = archive;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#load(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      },
      (error: unknown) => callback(asUnreadable(error)),
    );
  }

  async #load(start: number, length: number): Promise<Buffer> {
    const { size } = this.#archive;
    if (length === 0) return Buffer.alloc(0);
    if (start < 0 || start + length > size)
      throw new UnreadableArchive('ends before its directory');
    const { start: from, bytes } = this.#window;
    if (start < from || start + length > from + bytes.length) {
      const end = Math.min(size, start + Math.max(length, WINDOW_BYTES)) - 1;
      const chunks: Buffer[] = [];
      for await (const chunk of await this.#blobs.open(this.#archive, { start, end }))
        chunks.push(chunk);
      this.#window = { start, bytes: Buffer.concat(chunks) };
    }
    const first = start - this.#window.start;
    return this.#window.bytes.subarray(first, first + length);
  }
}

function asUnreadable(error: unknown): UnreadableArchive {
  if (error instanceof UnreadableArchive) return error;
  return new UnreadableArchive('must be a complete ZIP archive', { cause: error });
}
