import type { File } from '@hookproof/spec';

import type { FileUploadForm } from '../../generated/companions.ts';
import { readFileLabel, readPurpose } from '../../api/files/file-label.ts';
import { addFile, findFile, presentFile, removeFile } from '../../api/files/file.ts';
import type { Handler, Services } from '../../api/services.ts';

/** `POST /v1/files`: stores a file from a form. */
export function uploadFile({ store, clock }: Services): Handler<unknown, unknown, UploadTexts> {
  return async function handle({ key: { tenantId }, form }): Promise<File> {
    if (form === null) throw new Error('The operation takes a form.');
    const {
      texts,
      files: [file],
    } = await form();
    if (file === undefined) throw new Error('The schema requires the file.');
    const label = { tenantId, ...readFileLabel(file), purpose: readPurpose(texts.purpose) };
    return store.commit((state) => presentFile(addFile(state, clock.now(), label, file.bytes)));
  };
}

type UploadTexts = Pick<FileUploadForm, 'purpose'>;

/** `DELETE /v1/files/{id}`: deletes a file. Copies of it stay. */
export function deleteFile({ store, clock }: Services): Handler {
  return async function handle({ key: { tenantId }, path }): Promise<{ deleted: true }> {
    await store.commit((state) => {
      removeFile(state, findFile(state, tenantId, path['id'] ?? '', clock.now()).id);
    });
    return { deleted: true };
  };
}
