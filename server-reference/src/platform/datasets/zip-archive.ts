import { PassThrough, Readable } from 'node:stream';

import { ZipFile } from 'yazl';

/** A file of an archive; its bytes lie under their hash. */
export interface ArchiveFile {
  /** Such as `examples/note-0301/input/scan.pdf`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** What an archive is to hold. */
export interface ArchiveEntries {
  /** Names of the folders that hold nothing. A folder with files needs no entry of its own. */
  readonly folders: readonly string[];
  readonly files: readonly ArchiveFile[];
}

/** Opens the bytes of a file of the archive. */
type OpenFile = (file: ArchiveFile) => Promise<Readable>;

/**
 * The bytes of a ZIP archive, written as they are read: one file is open at a time, and none of them
 * is held. The same entries and bytes give the same archive on every machine, at any time. Entries are
 * stored as they are, so that the length is known beforehand: {@link zipLength}.
 *
 * The stream fails where a file cannot be opened, breaks off, or has another size than its entry says.
 */
export function zipArchive(entries: ArchiveEntries, open: OpenFile): Readable {
  return Readable.from(writeZip(entries, open), { objectMode: false });
}

/** How many bytes {@link zipArchive} makes of these entries, without reading any. */
export function zipLength(entries: ArchiveEntries): number {
  let length = 0;
  const zip = new ZipFile();
  addEntries(zip, entries, () => {});
  endZip(zip, entries, (total = 0) => {
    length = total;
  });
  return length;
}

async function* writeZip(entries: ArchiveEntries, open: OpenFile): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const opened: { current?: Readable } = {};
  const fail = (error: unknown): void => void output.destroy(asError(error));
  zip.on('error', fail);
  addEntries(zip, entries, (file, write) => {
    open(file).then((source) => {
      opened.current = source;
      // A pipe does not pass errors on; without this the archive would wait for ever.
      source.once('error', fail);
      if (output.destroyed) source.destroy();
      else write(source);
    }, fail);
  });
  endZip(zip, entries);
  try {
    yield* output;
  } finally {
    output.destroy();
    opened.current?.destroy();
  }
}

type WriteFile = (source: Readable) => void;

/** In the local time of the machine, which is what the format and the library speak of. */
const FIXED_TIME = { mtime: new Date(1980, 0, 1, 12), forceDosTimestamp: true };

function addEntries(
  zip: ZipFile,
  { folders, files }: ArchiveEntries,
  open: (file: ArchiveFile, write: WriteFile) => void,
): void {
  // First, since the library would write folders that wait for a file by recursion, however many.
  for (const folder of folders) zip.addEmptyDirectory(folder, FIXED_TIME);
  for (const file of files) {
    const options = { ...FIXED_TIME, compress: false, size: file.size };
    zip.addReadStreamLazy(file.name, options, (pass) => {
      open(file, (source) => pass(null, source));
    });
  }
}

const DIRECTORY_ROW_BYTES = 46 + 28;
const LARGE_DIRECTORY_BYTES = 0xffff;

function endZip(
  zip: ZipFile,
  { folders, files }: ArchiveEntries,
  onLength?: (length?: number) => void,
): void {
  // From this size on the library announces the long end record but would not write it.
  const forceZip64Format =
    [...folders, ...files.map(({ name }) => name)]
      .map((name) => DIRECTORY_ROW_BYTES + Buffer.byteLength(name) + 1)
      .reduce((sum, bytes) => sum + bytes, 0) >= LARGE_DIRECTORY_BYTES;
  zip.end({ forceZip64Format, comment: '' }, onLength);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
