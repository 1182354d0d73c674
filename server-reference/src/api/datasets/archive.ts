import { PassThrough, pipeline, Readable } from 'node:stream';

import { ZipFile } from 'yazl';

import { Download } from '../../http/response.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';

/** A file of an archive: stored bytes, or a JSON value that is written when it is read. */
export type StoredEntry = {
  /** For example `examples/note-0301/input/scan.pdf`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
} & ({ readonly sha256: string } | { readonly json: unknown });

/** The content of an archive of stored files. */
interface StoredEntries {
  /** Names of the empty folders. A folder with files needs no entry. */
  readonly folders: readonly string[];
  readonly files: readonly StoredEntry[];
  /** In ASCII. Default: none. */
  readonly comment?: string;
}

/**
 * Returns the folders and files of a dataset archive, in the order of the examples and their files. Beside the
 * folders of an example are its input and its expected output, where it has them.
 */
export function archiveEntries(examples: readonly DeepReadonly<ExampleRecord>[]): StoredEntries {
  const parts = examples.flatMap(({ name, input, inputJson, expected, expectedJson }) => [
    { folder: `examples/${name}/input`, files: input, json: inputJson },
    { folder: `examples/${name}/expected`, files: expected, json: expectedJson },
  ]);
  return {
    folders: parts.filter(({ files }) => files.length === 0).map(({ folder }) => folder),
    files: parts.flatMap(({ folder, files, json }) => {
      const stored = files.map(({ path, size, sha256 }): StoredEntry => ({
        name: `${folder}/${path}`,
        size,
        sha256,
      }));
      return json === null ? stored : [jsonFile(`${folder}.json`, json)].concat(stored);
    }),
    comment: LAYOUT_COMMENT,
  };
}

function jsonFile(name: string, json: unknown): StoredEntry {
  return { name, size: Buffer.byteLength(jsonText(json)), json };
}

function jsonText(json: unknown): string {
  return `${JSON.stringify(json)}\n`;
}

/**
 * Returns the response with an archive. The same entries and bytes give the same archive.
 *
 * @param filename - the name of the archive
 */
export function archiveDownload(
  { blobs }: { readonly blobs: Blobs },
  filename: string,
  entries: StoredEntries,
): Download {
  const content = writeZip(entries, (file) =>
    'json' in file ? Readable.from([jsonText(file.json)]) : blobs.read(file.sha256),
  );
  return new Download({ content, filename, contentType: 'application/zip' });
}

/** Noon of 1 January 1980, in the fields of DOS, which have no time zone. */
const FIXED_TIME = { mtime: new Date(1980, 0, 1, 12), forceDosTimestamp: true };

/**
 * Writes an archive. Each file is compressed, because a reader of the stream finds the end of a file only so: its length
 * and checksum follow its bytes.
 */
function writeZip(
  { folders, files, comment = '' }: StoredEntries,
  open: (file: StoredEntry) => Readable,
): Readable {
  const zip = new ZipFile();
  const content = new PassThrough();
  const fail = (error: Error): void => void content.destroy(error);
  let current: Readable | undefined;
  zip.on('error', fail);
  // The reader may disconnect while a file is open.
  pipeline(zip.outputStream, content, () => current?.destroy());
  for (const folder of folders) zip.addEmptyDirectory(folder, FIXED_TIME);
  for (const file of files) {
    const options = { ...FIXED_TIME, size: file.size };
    zip.addReadStreamLazy(file.name, options, (add) => {
      current = open(file).on('error', fail);
      if (content.destroyed) current.destroy();
      add(null, current);
    });
  }
  zip.end({ comment, forceZip64Format: false });
  return content;
}

/** Returns the response with the archive of a dataset, as {@link archiveDownload} does. */
export function exportDownload(
  services: { readonly blobs: Blobs },
  { slug }: DeepReadonly<AutomationRecord>,
  entries: StoredEntries,
): Download {
  return archiveDownload(services, `${slug}-dataset.zip`, entries);
}

/**
 * The comment of an archive. It marks the layout, because an example may have a file whose name is a sign of
 * an older one.
 */
const LAYOUT_COMMENT = 'dataset layout 2';
