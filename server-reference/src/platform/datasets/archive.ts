import { contentDisposition } from '../files/content-disposition.ts';
import { Download } from '../http/response.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { ExampleRecord } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { BlobMissing } from '../store/blobs.ts';
import type { Blobs } from '../store/blobs.ts';
import { zipArchive, zipLength } from './zip-archive.ts';
import type { ArchiveEntries } from './zip-archive.ts';

/** Returns the folders and files of a dataset archive, in the order of the examples and their files. */
export function archiveEntries(examples: readonly DeepReadonly<ExampleRecord>[]): ArchiveEntries {
  const parts = examples.flatMap(({ name, input, expected }) => [
    { folder: `examples/${name}/input`, files: input },
    { folder: `examples/${name}/expected`, files: expected },
  ]);
  return {
    folders: parts.filter(({ files }) => files.length === 0).map(({ folder }) => folder),
    files: parts.flatMap(({ folder, files }) =>
      files.map(({ path, size, sha256 }) => ({ name: `${folder}/${path}`, size, sha256 })),
    ),
  };
}

/**
 * Returns the response with the archive of a dataset.
 *
 * @throws {BlobMissing} before the response starts, so that the caller gets an error
 */
export async function exportDownload(
  { blobs }: { readonly blobs: Blobs },
  { slug }: DeepReadonly<AutomationRecord>,
  entries: ArchiveEntries,
): Promise<Download> {
  for (const sha256 of new Set(entries.files.map((file) => file.sha256))) {
    if (!(await blobs.has(sha256))) throw new BlobMissing(sha256);
  }
  return new Download({
    stream: zipArchive(entries, ({ sha256 }) => blobs.open(sha256)),
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(zipLength(entries)),
      'Content-Disposition': contentDisposition(`${slug}-dataset.zip`),
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
