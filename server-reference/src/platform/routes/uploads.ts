import type { IncomingMessage } from 'node:http';

import type { File, FileUpload, FileUploadStart } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import {
  addFile,
  fileTooLarge,
  isMediaType,
  readFilename,
  readPurpose,
} from '../files/new-file.ts';
import { findRepeated, isSentAsForm } from '../files/upload-session.ts';
import type { Declaration } from '../files/upload-session.ts';
import { ApiError, badRequest, issue, ROOT } from '../http/api-error.ts';
import type { ErrorCode } from '../http/api-error.ts';
import { findFile, findUpload } from '../resources/find.ts';
import { presentFile } from '../resources/present.ts';
import type { FileRecord, UploadRecord } from '../state/files.ts';
import type { TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import { expiryAfter, signAddress, STORAGE_PREFIX } from '../access/signed-url.ts';
import { nextId } from '../store/seed.ts';
import { refuseFull } from '../store/room.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/** `POST /v1/files/uploads`: starts an upload, or returns the one that a repeated request has started. */
export function createFileUpload({
  store,
  clock,
  settings,
}: Services): Handler<unknown, FileUploadStart> {
  const { uploadLimitBytes: maxFileSizeBytes, uploadTransport, signedUrlSeconds } = settings;
  return async function handle({
    key: { tenantId },
    body,
    origin,
    incoming,
  }: ApiRequest<unknown, FileUploadStart>): Promise<FileUpload> {
    refuseFull(store.state);
    const declaration = readDeclaration(body, maxFileSizeBytes);
    if (isSentAsForm(uploadTransport, body.size)) {
      return { transport: 'multipart', maxFileSizeBytes, url: formPath(incoming) };
    }
    const now = clock.now();
    const expires = expiryAfter(now, signedUrlSeconds);
    const upload = await store.commit((state) => {
      const former = findRepeated(state, tenantId, declaration, now);
      return former === undefined
        ? addUpload(state, tenantId, declaration, { now, expires })
        : prolongUpload(state, former, expires);
    });
    const path = `${STORAGE_PREFIX}/uploads/${upload.id}`;
    const url = origin + signAddress({ method: 'PUT', path, expires }, store.state.ids.seed);
    return {
      transport: 'presigned-put',
      maxFileSizeBytes,
      uploadId: upload.id,
      fileId: upload.fileId,
      url,
      uploadUrl: url,
      method: 'PUT',
      headers: { 'Content-Type': upload.contentType },
      expiresAt: timeOf(expires),
    };
  };
}

/** The path of `uploadFile` in the form that the caller used. Clients put their base URL before it. */
function formPath({ url = '' }: IncomingMessage): string {
  return url.startsWith('/api/') ? '/api/v1/files' : '/v1/files';
}

interface Lifetime {
  readonly now: number;
  /** Unix seconds. */
  readonly expires: number;
}

function addUpload(
  state: State,
  tenantId: TenantId,
  declaration: Declaration,
  { now, expires }: Lifetime,
): UploadRecord {
  const upload: UploadRecord = {
    id: nextId(state, 'upload_'),
    tenantId,
    ...declaration,
    object: null,
    createdAt: isoTime(now),
    expiresAt: timeOf(expires),
    fileId: nextId(state, 'file_'),
    completedAt: null,
  };
  state.uploads.add(upload);
  return upload;
}

/** A completed upload lives as long as its file. */
function prolongUpload(
  state: State,
  upload: DeepReadonly<UploadRecord>,
  expires: number,
): DeepReadonly<UploadRecord> {
  if (upload.completedAt === null) state.uploads.edit(upload.id).expiresAt = timeOf(expires);
  return upload;
}

function timeOf(unixSeconds: number): string {
  return isoTime(unixSeconds * 1000);
}

function readDeclaration(body: FileUploadStart, limitBytes: number): Declaration {
  const filename = readFilename(body.filename, 'filename');
  if (!isMediaType(body.contentType)) {
    throw badRequest('invalid_value', 'contentType', 'must be a media type such as text/csv');
  }
  const purpose = readPurpose(body.purpose);
  if (body.size > limitBytes) throw fileTooLarge(limitBytes, 'size');
  const declared = { size: body.size, sha256: body.sha256 ?? null };
  const { contentType, idempotencyKey = null } = body;
  return { filename, contentType, purpose, declared, idempotencyKey };
}

/** `POST /v1/files/uploads/{uploadId}/complete`: creates the file of an upload. Idempotent. */
export function completeFileUpload({ store, blobs, clock }: Services): Handler {
  return async function handle({ key: { tenantId }, path }): Promise<File> {
    refuseFull(store.state);
    const now = clock.now();
    const read = (state: ReadonlyState): DeepReadonly<UploadRecord> =>
      findUpload(state, path['uploadId'] ?? '', now, (found) => found.tenantId === tenantId);
    const { completedAt, object } = read(store.state);
    if (completedAt === null && object !== null && !(await blobs.has(object.sha256)))
      throw incomplete();
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

/** `DELETE /v1/files/uploads/{uploadId}`: ends an upload that is not completed. Its bytes are swept. */
export function abortFileUpload({ store, clock }: Services): Handler {
  return async function handle({ key: { tenantId }, path }): Promise<{ aborted: true }> {
    await store.commit((state) => {
      const upload = findUpload(
        state,
        path['uploadId'] ?? '',
        clock.now(),
        (found) => found.tenantId === tenantId,
      );
      if (upload.completedAt !== null) {
        const message = 'the upload is completed, so it cannot be aborted';
        throw conflict('upload_completed', message, 'Delete its file with DELETE /v1/files/{id}.');
      }
      state.uploads.delete(upload.id);
    });
    return { aborted: true };
  };
}

function incomplete(): ApiError {
  return conflict('upload_incomplete', 'the upload has no bytes', 'Send the bytes with PUT first.');
}

function conflict(code: ErrorCode, message: string, hint: string): ApiError {
  return new ApiError(409, [issue(code, ROOT, message)], { hint });
}
