import type { FileRecord, UploadRecord } from '../state/file.ts';
import type { StoredBytes } from '../store/blobs.ts';
import { nextId } from '../store/next-id.ts';
import type { State } from '../store/state.ts';
import { LIFETIME_MILLISECONDS } from './purpose.ts';

type FileLabel = Pick<UploadRecord, 'tenantId' | 'filename' | 'contentType' | 'purpose'>;

/** Adds a file whose bytes lie in the blobs. Call it inside a commit. */
export function addFile(
  state: State,
  nowMilliseconds: number,
  { tenantId, filename, contentType, purpose }: FileLabel,
  { size, sha256 }: StoredBytes,
): FileRecord {
  const lifetime = purpose === null ? null : LIFETIME_MILLISECONDS;
  const file: FileRecord = {
    id: nextId(state, 'file_'),
    tenantId,
    filename,
    contentType,
    size,
    sha256,
    purpose,
    createdAt: new Date(nowMilliseconds).toISOString(),
    expiresAt: lifetime === null ? null : new Date(nowMilliseconds + lifetime).toISOString(),
  };
  state.files[file.id] = file;
  return file;
}
