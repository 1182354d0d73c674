import type { File, FileUpload, FileUploadStart } from '@hookproof/spec';

import {
  addFile,
  fileTooLarge,
  isMediaType,
  readFilename,
  readPurpose,
} from '../files/new-file.ts';
import { ApiError, badRequest, issue, ROOT } from '../http/api-error.ts';
import type { ErrorCode } from '../http/api-error.ts';
import { findFile, findUpload } from '../resources/find.ts';
import type { StateWithUploads } from '../resources/find.ts';
import { presentFile } from '../resources/present.ts';
import type { FileRecord, UploadRecord } from '../state/files.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { State } from '../state/state.ts';
import { expiryAfter, signAddress, STORAGE_PREFIX } from '../access/signed-url.ts';
import { nextId } from '../store/seed.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

type Declaration = Pick<UploadRecord, 'filename' | 'contentType' | 'purpose' | 'declared'>;

/** `POST /v1/files/uploads`: creates an upload with the signed URL for its bytes. */
export function createFileUpload({
  store,
  clock,
  settings,
}: Services): Handler<unknown, FileUploadStart> {
  return async function handle({
    key,
    body,
    origin,
  }: ApiRequest<unknown, FileUploadStart>): Promise<FileUpload> {
    const declaration = readDeclaration(body, settings.uploadLimitBytes);
    return store.commit((state) => {
      const now = clock.now();
      const expires = expiryAfter(now, settings.signedUrlSeconds);
      const upload: UploadRecord = {
        id: nextId(state, 'upload_'),
        tenantId: key.tenantId,
        ...declaration,
        object: null,
        createdAt: new Date(now).toISOString(),
        expiresAt: new Date(expires * 1000).toISOString(),
        fileId: null,
      };
      state.uploads[upload.id] = upload;
      const path = `${STORAGE_PREFIX}/uploads/${upload.id}`;
      return {
        uploadId: upload.id,
        uploadUrl: origin + signAddress({ method: 'PUT', path, expires }, state.ids.seed),
        method: 'PUT',
        headers: { 'Content-Type': upload.contentType },
        expiresAt: upload.expiresAt,
      };
    });
  };
}

function readDeclaration(body: FileUploadStart, limitBytes: number): Declaration {
  const filename = readFilename(body.filename, 'filename');
  if (!isMediaType(body.contentType)) {
    throw badRequest('invalid_value', 'contentType', 'must be a media type such as text/csv');
  }
  const purpose = readPurpose(body.purpose);
  if (body.size > limitBytes) throw fileTooLarge(limitBytes, 'size');
  const declared = { size: body.size, sha256: body.sha256 ?? null };
  return { filename, contentType: body.contentType, purpose, declared };
}

/** `POST /v1/files/uploads/{uploadId}/complete`: creates the file of an upload. Idempotent. */
export function completeFileUpload({ store, blobs, clock }: Services): Handler {
  return async function handle({ key: { tenantId }, path }): Promise<File> {
    const now = clock.now();
    const read = <Found extends DeepReadonly<UploadRecord>>(
      state: StateWithUploads<Found>,
    ): Found =>
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
  upload.fileId = file.id;
  return file;
}

function incomplete(): ApiError {
  return conflict('upload_incomplete', 'the upload has no bytes', 'Send the bytes with PUT first.');
}

function conflict(code: ErrorCode, message: string, hint: string): ApiError {
  return new ApiError(409, [issue(code, ROOT, message)], { hint });
}
