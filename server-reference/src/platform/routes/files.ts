import type { File } from '@hookproof/spec';

import { downloadFile } from '../files/download-file.ts';
import {
  addFile,
  fileTooLarge,
  isMediaType,
  readFilename,
  readPurpose,
  receiveBytes,
  UNKNOWN_TYPE,
} from '../files/new-file.ts';
import { badRequest } from '../http/api-error.ts';
import { readMultipart } from '../http/multipart.ts';
import type { Form } from '../http/multipart.ts';
import { Redirect } from '../http/response.ts';
import type { Download } from '../http/response.ts';
import { findFile } from '../resources/find.ts';
import { presentFile } from '../resources/present.ts';
import type { UploadRecord } from '../state/files.ts';
import { expiryAfter, signAddress, STORAGE_PREFIX } from '../access/signed-url.ts';
import type { StoredBytes } from '../store/blobs.ts';
import type { Handler, Services } from './services.ts';

/** Allowance for boundaries, headers and fields of a form in its Content-Length. */
const FORM_OVERHEAD_BYTES = 65_536;

/** `POST /v1/files`: stores a file from a form. */
export function uploadFile({ store, blobs, clock, settings }: Services): Handler {
  return async function handle({ key: { tenantId }, incoming, outgoing }): Promise<File> {
    const { uploadLimitBytes } = settings;
    const declared = Number(incoming.headers['content-length'] ?? 0);
    if (declared > uploadLimitBytes + FORM_OVERHEAD_BYTES) throw fileTooLarge(uploadLimitBytes);
    let bytes: StoredBytes | undefined;
    try {
      const form = await readMultipart(incoming, outgoing, async (file) => {
        bytes = await receiveBytes(blobs, file, uploadLimitBytes);
      });
      const label = readLabel(form);
      const stored = bytes;
      if (stored === undefined) throw new Error('The form was read without its file.');
      return await store.commit((state) =>
        presentFile(addFile(state, clock.now(), { tenantId, ...label }, stored)),
      );
    } finally {
      if (bytes !== undefined) blobs.release(bytes.sha256);
    }
  };
}

function readLabel(form: Form): Pick<UploadRecord, 'filename' | 'contentType' | 'purpose'> {
  if (form.filename === undefined) {
    throw badRequest('invalid_value', 'file', 'must have a filename in its Content-Disposition');
  }
  return {
    filename: readFilename(form.filename, 'file'),
    contentType: isMediaType(form.contentType) ? form.contentType : UNKNOWN_TYPE,
    purpose: readPurpose(form.fields.get('purpose')),
  };
}

/** `GET /v1/files/{id}`: the metadata of a file. */
export function getFile({ store, clock }: Services): Handler {
  return async function handle({ key, path }): Promise<File> {
    return presentFile(findFile(store.state, key.tenantId, path['id'] ?? '', clock.now()));
  };
}

/** `GET /v1/files/{id}/content`: the bytes of a file, or a redirect for a large file. */
export function getFileContent({ store, blobs, clock, settings }: Services): Handler {
  const { redirectAboveBytes, signedUrlSeconds } = settings;
  return async function handle({ key, path, origin, incoming }): Promise<Download | Redirect> {
    const now = clock.now();
    const file = findFile(store.state, key.tenantId, path['id'] ?? '', now);
    if (redirectAboveBytes === null || file.size <= redirectAboveBytes) {
      return downloadFile(blobs, file, incoming);
    }
    const expires = expiryAfter(now, signedUrlSeconds);
    const grant = { method: 'GET', path: `${STORAGE_PREFIX}/files/${file.id}`, expires } as const;
    return new Redirect(origin + signAddress(grant, store.state.ids.seed));
  };
}
