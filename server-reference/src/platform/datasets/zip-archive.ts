import { PassThrough, Readable } from 'node:stream';

import { ZipFile } from 'yazl';

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

/** Opens the bytes of a file of the archive. */
type OpenFile<File> = (file: File) => Promise<Readable>;

/**
 * Returns a ZIP archive as a stream. It opens one file at a time and buffers none. The same entries and
 * bytes give the same archive on every machine. Entries are not compressed, so {@link zipLength} knows
 * the length in advance.
 *
 * The stream fails when a file cannot be opened, ends early, or differs in size from its entry.
 */
export function zipArchive<File extends ArchiveFile>(
  entries: ArchiveEntries<File>,
  open: OpenFile<File>,
): Readable {
  return Readable.from(writeZip(entries, open), { objectMode: false });
}

/** Returns the length of the archive that {@link zipArchive} makes, without reading a file. */
export function zipLength(entries: ArchiveEntries): number {
  let length = 0;
  const zip = new ZipFile();
  addEntries(zip, entries, () => {});
  endZip(zip, entries, (total = 0) => {
    length = total;
  });
  return length;
}

async function* writeZip<File extends ArchiveFile>(
  entries: ArchiveEntries<File>,
  open: OpenFile<File>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const opened: { current?: Readable } = {};
  const fail = (error: unknown): void => void output.destroy(asError(error));
  zip.on('error', fail);
  addEntries(zip, entries, (file, write) => {
    open(file).then((source) => {
      opened.current = source;
      // `pipe` does not forward errors; without this the archive would never end.
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

/** In local time, as the format and the library define it. */
const FIXED_TIME = { mtime: new Date(1980, 0, 1, 12), forceDosTimestamp: true };

function addEntries<File extends ArchiveFile>(
  zip: ZipFile,
  { folders, files }: ArchiveEntries<File>,
  open: (file: File, write: WriteFile) => void,
): void {
  // Folders come first: behind a pending file, the library writes them by unbounded recursion.
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
  { folders, files, comment = '' }: ArchiveEntries,
  onLength?: (length?: number) => void,
): void {
  // From this size on the library declares the ZIP64 end record but does not write it.
  const forceZip64Format =
    [...folders, ...files.map(({ name }) => name)]
      .map((name) => DIRECTORY_ROW_BYTES + Buffer.byteLength(name) + 1)
      .reduce((sum, bytes) => sum + bytes, 0) >= LARGE_DIRECTORY_BYTES;
  zip.end({ forceZip64Format, comment }, onLength);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
