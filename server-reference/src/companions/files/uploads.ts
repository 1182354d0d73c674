import type { IncomingMessage } from 'node:http';

import type { FileUpload, FileUploadStart } from '../../generated/companions.ts';
import { isMediaType, readFilename, readPurpose } from '../../api/files/file-label.ts';
import { fileTooLarge } from '../../api/files/file.ts';
import { expiryAfter, signAddress, STORAGE_PREFIX } from '../../api/files/signed-url.ts';
import { conflict, findUpload, isOver } from '../../api/files/uploads.ts';
import type { ApiRequest, Handler, Services, UploadTransport } from '../../api/services.ts';
import { isoTime } from '../../clock/clock.ts';
import { invalidValue, refusal } from '../../errors.ts';
import type { UploadRecord } from '../../store/files.ts';
import type { TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState, State } from '../../store/state.ts';

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
    throw invalidValue('contentType', 'must be a media type such as text/csv');
  }
  const purpose = readPurpose(body.purpose);
  if (body.size > limitBytes) throw fileTooLarge(limitBytes, 'size');
  const declared = { size: body.size, sha256: body.sha256 ?? null };
  const { contentType, idempotencyKey = null } = body;
  return { filename, contentType, purpose, declared, idempotencyKey };
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

/** What the caller declares at the start of an upload. */
type Declaration = Pick<
  UploadRecord,
  'filename' | 'contentType' | 'purpose' | 'declared' | 'idempotencyKey'
>;

/** Returns whether a file of this size is sent as a form, without a session. */
function isSentAsForm(transport: UploadTransport, size: number): boolean {
  return typeof transport === 'number' ? size <= transport : transport === 'multipart';
}

/**
 * Returns the upload that a repeated start refers to: the one of the tenant with the same key. An aborted or
 * expired upload, and one whose file is deleted, leaves its key free.
 *
 * @throws {ApiError} `idempotency_conflict` if that upload was declared differently
 */
function findRepeated(
  state: ReadonlyState,
  tenantId: TenantId,
  declaration: DeepReadonly<Declaration>,
  nowMilliseconds: number,
): DeepReadonly<UploadRecord> | undefined {
  const { idempotencyKey } = declaration;
  if (idempotencyKey === null) return undefined;
  const earlier = state.uploads.find(
    (upload) =>
      upload.tenantId === tenantId &&
      upload.idempotencyKey === idempotencyKey &&
      !isOver(state, upload, nowMilliseconds),
  );
  if (earlier !== undefined && !declaresSame(earlier, declaration)) {
    const message = 'is the key of an upload that was declared differently';
    throw refusal('idempotency_conflict', 'idempotencyKey', message, {
      hint: 'Use a new key for each upload, and repeat a request unchanged.',
    });
  }
  return earlier;
}

function declaresSame(a: DeepReadonly<Declaration>, b: DeepReadonly<Declaration>): boolean {
  return (
    a.filename === b.filename &&
    a.contentType === b.contentType &&
    a.purpose === b.purpose &&
    a.declared.size === b.declared.size &&
    a.declared.sha256 === b.declared.sha256
  );
}
