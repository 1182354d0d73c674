import type { FileUpload, FileUploadStart } from '@hookproof/spec';

import { badRequest } from '../app/api-error.ts';
import type { ApiRequest, Handler, Services } from '../app/handler.ts';
import { fileTooLarge } from '../files/file-too-large.ts';
import { readFilename } from '../files/filename.ts';
import { isMediaType } from '../files/media-type.ts';
import { readPurpose } from '../files/purpose.ts';
import type { UploadRecord } from '../state/file.ts';
import { STORAGE_PREFIX, expiryAfter, signAddress } from '../storage/signed-address.ts';
import { nextId } from '../store/next-id.ts';

type Declaration = Pick<UploadRecord, 'filename' | 'contentType' | 'purpose' | 'declared'>;

/** `POST /v1/files/uploads`: hands out an address that the bytes are sent to. */
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
