import type { Readable } from 'node:stream';

import { contentDisposition } from '../files/content-disposition.ts';
import { Download } from '../http/response.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { ExampleRecord } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { BlobMissing } from '../store/blobs.ts';
import type { Blobs } from '../store/blobs.ts';
import { LAYOUT_COMMENT } from './archive-layout.ts';
import { zipArchive, zipBytes, zipLength } from './zip-archive.ts';
import type { ArchiveEntries, ArchiveFile } from './zip-archive.ts';

/** A file of an archive: stored bytes, or a JSON value that is written when it is read. */
export type StoredEntry = ArchiveFile & ({ readonly sha256: string } | { readonly json: unknown });

/** The content of an archive of stored files. */
export type StoredEntries = ArchiveEntries<StoredEntry>;

/**
 * Returns the folders and files of a dataset archive, in the order of the examples and their files. Beside the
 * folders of an example are its input and its expected output, where it has them.
 */
export function archiveEntries(
  examples: readonly DeepReadonly<ExampleRecord>[],
): StoredEntries & { readonly comment: string } {
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

/** A file up to this size is read at once: a stream costs more than its bytes. */
const SMALL_FILE_BYTES = 65_536;
/** An archive up to this size is made before the response starts. */
const SMALL_ARCHIVE_BYTES = 262_144;

/**
 * Returns the response with an archive.
 *
 * @param filename - the name of the archive
 * @throws {BlobMissing} before the response starts, so that the caller gets an error
 */
export async function archiveDownload(
  { blobs }: { readonly blobs: Blobs },
  filename: string,
  entries: StoredEntries,
): Promise<Download> {
  const length = zipLength(entries);
  const read = async (file: StoredEntry): Promise<Buffer> =>
    'json' in file ? Buffer.from(jsonText(file.json)) : blobs.read(file.sha256);
  const open = async (file: StoredEntry): Promise<Buffer | Readable> =>
    'sha256' in file && file.size > SMALL_FILE_BYTES ? blobs.open(file.sha256) : read(file);
  if (length > SMALL_ARCHIVE_BYTES) await refuseMissing(blobs, entries);
  return new Download({
    content:
      length > SMALL_ARCHIVE_BYTES ? zipArchive(entries, open) : await zipBytes(entries, read),
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(length),
      'Content-Disposition': contentDisposition(filename),
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

async function refuseMissing(blobs: Blobs, { files }: StoredEntries): Promise<void> {
  const stored = files.flatMap((file) => ('sha256' in file ? [file.sha256] : []));
  for (const sha256 of new Set(stored)) {
    if (!(await blobs.has(sha256))) throw new BlobMissing(sha256);
  }
}

/** Returns the response with the archive of a dataset, as {@link archiveDownload} does. */
export async function exportDownload(
  services: { readonly blobs: Blobs },
  { slug }: DeepReadonly<AutomationRecord>,
  entries: StoredEntries,
): Promise<Download> {
  return archiveDownload(services, `${slug}-dataset.zip`, entries);
}
