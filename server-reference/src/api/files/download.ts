import { Download } from '../../http/response.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { FileRecord } from '../../store/files.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isMediaType, UNKNOWN_TYPE } from './file-label.ts';

/** The bytes of a file under its media type. */
export function downloadFile(
  blobs: Blobs,
  {
    filename,
    contentType,
    sha256,
  }: DeepReadonly<Pick<FileRecord, 'filename' | 'contentType' | 'sha256'>>,
): Download {
  return new Download({
    content: { path: blobs.pathOf(sha256), sha256 },
    filename,
    contentType: downloadType(contentType),
  });
}

/** Clients parse JSON and HTML instead of passing their bytes on, so these go out as plain bytes. */
function downloadType(contentType: string): string {
  return isMediaType(contentType) && !/json|html/i.test(contentType) ? contentType : UNKNOWN_TYPE;
}

/** The bytes of a file of a run or an example, whatever its media type. Its name is the end of its path. */
export function downloadBytes(
  blobs: Blobs,
  { path, sha256 }: DeepReadonly<Pick<StoredFile, 'path' | 'sha256'>>,
): Download {
  const filename = path.slice(path.lastIndexOf('/') + 1);
  return new Download({ content: { path: blobs.pathOf(sha256), sha256 }, filename });
}
