import type { File } from '@hookproof/spec';

import { ROOT, notFound, refusal } from '../../errors.ts';
import type { ApiError, ErrorCode } from '../../errors.ts';
import type { FileRecord, UploadRecord } from '../../store/files.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import type { Handler, Services } from '../services.ts';
import { addFile, findFile, findLiveFile, hasExpired, presentFile } from './file.ts';

/** `POST /v1/files/uploads/{uploadId}/complete`: creates the file of an upload. Idempotent. */
export function completeFileUpload({ store, clock }: Services): Handler {
  return async function handle({ key: { tenantId }, path }): Promise<File> {
    const now = clock.now();
    const read = (state: ReadonlyState): DeepReadonly<UploadRecord> =>
      findUpload(state, path['uploadId'] ?? '', now, (found) => found.tenantId === tenantId);
    return store.commit((state) => presentFile(completedFile(state, read(state), now)));
  };
}

/** Returns the file of an upload, which it adds at the first call. */
function completedFile(
  state: State,
  upload: DeepReadonly<UploadRecord>,
  now: number,
): DeepReadonly<FileRecord> {
  const { tenantId, fileId, completedAt, object, declared } = upload;
  if (completedAt !== null) return findFile(state, tenantId, fileId, now);
  if (object === null) throw incomplete();
  const hint = 'Send the declared bytes with PUT, or start another upload.';
  if (object.size !== declared.size) {
    const message = `the upload must have the declared size of ${declared.size} bytes, got ${object.size}`;
    throw conflict('upload_mismatch', message, hint);
  }
  if (declared.sha256 !== null && object.sha256 !== declared.sha256) {
    const message = `the upload must have the declared SHA-256 ${declared.sha256}, got ${object.sha256}`;
    throw conflict('upload_mismatch', message, hint);
  }
  const file = addFile(state, now, upload, object);
  state.uploads.edit(upload.id).completedAt = file.createdAt;
  return file;
}

function incomplete(): ApiError {
  return conflict('upload_incomplete', 'the upload has no bytes', 'Send the bytes with PUT first.');
}

/** Returns the error for an upload whose state does not allow the request. */
export function conflict(code: ErrorCode, message: string, hint: string): ApiError {
  return refusal(code, ROOT, message, { hint });
}

/**
 * Returns an upload that is open, or whose file still exists.
 *
 * @throws {ApiError} `not_found`
 */
export function findUpload(
  state: Pick<ReadonlyState, 'files' | 'uploads'>,
  id: string,
  nowMilliseconds: number,
  isVisible: (upload: DeepReadonly<UploadRecord>) => boolean,
): DeepReadonly<UploadRecord> {
  const upload = state.uploads.get(id);
  if (upload === undefined || !isVisible(upload) || isOver(state, upload, nowMilliseconds)) {
    throw notFound('uploadId', 'no upload has this id');
  }
  return upload;
}

/** Returns whether an upload has expired without a file, or its file no longer exists. */
export function isOver(
  state: Pick<ReadonlyState, 'files'>,
  upload: DeepReadonly<UploadRecord>,
  nowMilliseconds: number,
): boolean {
  if (upload.completedAt === null) return hasExpired(upload, nowMilliseconds);
  return findLiveFile(state, upload.fileId, nowMilliseconds) === undefined;
}

/**
 * Refuses bytes for a completed upload, unless they repeat what was sent.
 *
 * @throws {ApiError} `upload_completed`
 */
export function refuseChange(upload: DeepReadonly<UploadRecord>, sha256: string): void {
  if (upload.completedAt === null || sha256 === upload.object?.sha256) return;
  const message = 'the upload is completed, so its bytes cannot change';
  throw refusal('upload_completed', ROOT, message, {
    hint: 'Start another upload with POST /v1/files/uploads.',
  });
}
