import type { Services } from '../app/handler.ts';
import { Download } from '../app/reply.ts';
import { contentDisposition } from '../files/content-disposition.ts';
import type { AutomationRecord } from '../state/automation.ts';
import { BlobMissing } from '../store/blobs.ts';
import type { ArchiveEntries } from './archive-entries.ts';
import { zipArchive, zipLength } from './zip-archive.ts';

/**
 * The archive of a dataset as an answer.
 *
 * @throws {BlobMissing} while there is still time to answer with an error
 */
export async function exportDownload(
  { blobs }: Pick<Services, 'blobs'>,
  { slug }: AutomationRecord,
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
