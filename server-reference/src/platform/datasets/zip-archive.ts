import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import {
  archiveEnd,
  dataDescriptor,
  directoryRow,
  entryLength,
  localHeader,
  rowLength,
} from './zip-records.ts';
import type { ZipEntry } from './zip-records.ts';

/** A file of an archive. */
export interface ArchiveFile {
  /** For example `examples/note-0301/input/scan.pdf`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** The content of an archive. */
export interface ArchiveEntries<File extends ArchiveFile = ArchiveFile> {
  /** Names of the empty folders. A folder with files needs no entry. */
  readonly folders: readonly string[];
  readonly files: readonly File[];
  /** The comment of the archive, in ASCII. Default: none. */
  readonly comment?: string;
}

/** Opens the bytes of a file of the archive: all at once, or as a stream. */
type OpenFile<File> = (file: File) => Promise<Buffer | Readable>;

/**
 * Returns a ZIP archive as a stream. It opens one file at a time and buffers none that is a stream. The same
 * entries and bytes give the same archive on every machine. Entries are not compressed, so {@link zipLength}
 * knows the length in advance.
 *
 * The stream fails when a file cannot be opened, ends early, or differs in size from its entry.
 */
export function zipArchive<File extends ArchiveFile>(
  entries: ArchiveEntries<File>,
  open: OpenFile<File>,
): Readable {
  return Readable.from(inBlocks(writeZip(entries, open)), { objectMode: false });
}

/**
 * Returns the bytes of the archive that {@link zipArchive} streams. A small one takes less time so, because each
 * piece of a stream costs several turns.
 */
export async function zipBytes<File extends ArchiveFile>(
  entries: ArchiveEntries<File>,
  read: (file: File) => Promise<Buffer>,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const directory = new Directory();
  for (const { entry, file } of placeEntries(entries)) {
    pieces.push(localHeader(entry));
    let checksum = 0;
    if (file !== undefined) {
      const content = await read(file);
      if (content.length !== file.size) throw unexpectedSize(file);
      checksum = crc32(content);
      pieces.push(content, dataDescriptor(entry, checksum));
    }
    directory.add(entry, checksum);
  }
  return Buffer.concat([...pieces, ...directory.pieces(entries.comment)]);
}

/** Returns the length of the archive that {@link zipArchive} makes, without reading a file. */
export function zipLength(entries: ArchiveEntries): number {
  let offset = 0;
  let directory = 0;
  let count = 0;
  for (const { entry } of placeEntries(entries)) {
    offset += entryLength(entry);
    directory += rowLength(entry);
    count += 1;
  }
  const end = archiveEnd({ count, offset, length: directory }, entries.comment ?? '');
  return offset + directory + end.length;
}

interface Placed<File> {
  readonly entry: ZipEntry;
  /** Absent for a folder. */
  readonly file?: File;
}

function* placeEntries<File extends ArchiveFile>({
  folders,
  files,
}: ArchiveEntries<File>): Generator<Placed<File>> {
  let offset = 0;
  for (const folder of folders) {
    const name = Buffer.from(`${folder}/`);
    const entry: ZipEntry = { name, size: 0, offset, isFolder: true };
    yield { entry };
    offset += entryLength(entry);
  }
  for (const file of files) {
    const name = Buffer.from(file.name);
    const entry: ZipEntry = { name, size: file.size, offset, isFolder: false };
    yield { entry, file };
    offset += entryLength(entry);
  }
}

async function* writeZip<File extends ArchiveFile>(
  entries: ArchiveEntries<File>,
  open: OpenFile<File>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const directory = new Directory();
  for (const { entry, file } of placeEntries(entries)) {
    yield localHeader(entry);
    let checksum = 0;
    if (file !== undefined) {
      checksum = yield* writeContent(await open(file), file);
      yield dataDescriptor(entry, checksum);
    }
    directory.add(entry, checksum);
  }
  yield* directory.pieces(entries.comment);
}

/** The end of an archive: a row for each entry that was written. */
class Directory {
  readonly #written: { readonly entry: ZipEntry; readonly checksum: number }[] = [];
  #offset = 0;

  add(entry: ZipEntry, checksum: number): void {
    this.#written.push({ entry, checksum });
    this.#offset += entryLength(entry);
  }

  *pieces(comment = ''): Generator<Uint8Array, void, undefined> {
    let length = 0;
    for (const { entry, checksum } of this.#written) {
      yield directoryRow(entry, checksum);
      length += rowLength(entry);
    }
    yield archiveEnd({ count: this.#written.length, offset: this.#offset, length }, comment);
  }
}

/** Returns the checksum of the bytes. */
async function* writeContent(
  content: Buffer | Readable,
  file: ArchiveFile,
): AsyncGenerator<Uint8Array, number, undefined> {
  let length = 0;
  let checksum = 0;
  for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
    length += chunk.length;
    if (length > file.size) break;
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (length === file.size) return checksum;
  throw unexpectedSize(file);
}

function unexpectedSize({ name, size }: ArchiveFile): Error {
  return new Error(`${name} has an unexpected number of bytes: its entry says ${size}.`);
}

const BLOCK_BYTES = 65_536;

/**
 * Joins small pieces to blocks, because each costs the reader a turn. Between blocks other requests get
 * their turn.
 */
async function* inBlocks(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let block: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    block.push(piece);
    length += piece.length;
    if (length < BLOCK_BYTES) continue;
    yield block.length === 1 ? piece : Buffer.concat(block, length);
    block = [];
    length = 0;
    await new Promise(setImmediate);
  }
  if (length > 0) yield Buffer.concat(block, length);
}
