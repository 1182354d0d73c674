import type { File } from '@hookproof/spec';

import { ApiError, ROOT, issue } from '../app/api-error.ts';
import type { ErrorCode } from '../app/error-codes.ts';
import type { Handler, Services } from '../app/handler.ts';
import { addFile } from '../files/add-file.ts';
import { findFile } from '../files/find-file.ts';
import { findUpload } from '../files/find-upload.ts';
import { presentFile } from '../files/present-file.ts';
import type { FileRecord, UploadRecord } from '../state/file.ts';
import type { State } from '../store/state.ts';

/** `POST /v1/files/uploads/{uploadId}/complete`: makes one file of an upload, however often it is called. */
export function completeFileUpload({ store, blobs, clock }: Services): Handler {
  return async function handle({ key: { tenantId }, path }): Promise<File> {
    const now = clock.now();
    const read = (state: State): UploadRecord =>
      findUpload(state, path['uploadId'] ?? '', now, (found) => found.tenantId === tenantId);
    const { fileId, object } = read(store.state);
    if (fileId === null && object !== null && !(await blobs.has(object.sha256))) throw incomplete();
    return store.commit((state) => presentFile(promote(state, read(state), now)));
  };
}

function promote(state: State, upload: UploadRecord, now: number): FileRecord {
  const { tenantId, fileId, object, declared } = upload;
  if (fileId !== null) return findFile(state, tenantId, fileId, now);
  if (object === null) throw incomplete();
  const hint = 'Send the right bytes with PUT, or begin another upload.';
  if (object.size !== declared.size) {
    const message = `${object.size} bytes have arrived, but ${declared.size} were declared`;
    throw conflict('upload_mismatch', message, hint);
  }
  if (declared.sha256 !== null && object.sha256 !== declared.sha256) {
    const message = `the bytes that arrived have the SHA-256 ${object.sha256}, but ${declared.sha256} was declared`;
    throw conflict('upload_mismatch', message, hint);
  }
  const file = addFile(state, now, upload, object);
  upload.fileId = file.id;
  return file;
}

function incomplete(): ApiError {
  return conflict('upload_incomplete', 'no bytes have arrived', 'Send them with PUT first.');
}

function conflict(code: ErrorCode, message: string, hint: string): ApiError {
  return new ApiError(409, [issue(code, ROOT, message)], { hint });
}
