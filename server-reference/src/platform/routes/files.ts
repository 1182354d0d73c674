import type { File, FileUploadForm } from '@hookproof/spec';

import { removeFile } from '../files/reaper.ts';
import { downloadFile } from '../files/download-file.ts';
import { addFile, readFileLabel, readPurpose } from '../files/new-file.ts';
import { Redirect } from '../http/response.ts';
import type { Download } from '../http/response.ts';
import { findFile } from '../resources/find.ts';
import { presentFile } from '../resources/present.ts';
import { expiryAfter, signAddress, STORAGE_PREFIX } from '../access/signed-url.ts';
import { refuseFull } from '../store/room.ts';
import type { Handler, Services } from './services.ts';

/** `POST /v1/files`: stores a file from a form. */
export function uploadFile({ store, clock }: Services): Handler<unknown, unknown, UploadTexts> {
  return async function handle({ key: { tenantId }, form }): Promise<File> {
    refuseFull(store.state);
    if (form === null) throw new Error('The operation takes a form.');
    return form(async ({ texts, files: [file] }) => {
      if (file === undefined) throw new Error('The schema requires the file.');
      const label = { tenantId, ...readFileLabel(file), purpose: readPurpose(texts.purpose) };
      return store.commit((state) => presentFile(addFile(state, clock.now(), label, file.bytes)));
    });
  };
}

type UploadTexts = Pick<FileUploadForm, 'purpose'>;

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

/** `DELETE /v1/files/{id}`: deletes a file. What took a copy of it keeps the copy. */
export function deleteFile({ store, clock }: Services): Handler {
  return async function handle({ key: { tenantId }, path }): Promise<{ deleted: true }> {
    await store.commit((state) => {
      removeFile(state, findFile(state, tenantId, path['id'] ?? '', clock.now()).id);
    });
    return { deleted: true };
  };
}
