import type { File } from '@hookproof/spec';

import { badRequest } from '../app/api-error.ts';
import type { Handler, Services } from '../app/handler.ts';
import { readMultipart } from '../app/read-multipart.ts';
import type { Form } from '../app/read-multipart.ts';
import { addFile } from '../files/add-file.ts';
import { fileTooLarge } from '../files/file-too-large.ts';
import { readFilename } from '../files/filename.ts';
import { UNKNOWN_TYPE, isMediaType } from '../files/media-type.ts';
import { presentFile } from '../files/present-file.ts';
import { readPurpose } from '../files/purpose.ts';
import { receiveBytes } from '../files/receive-bytes.ts';
import type { UploadRecord } from '../state/file.ts';
import type { StoredBytes } from '../store/blobs.ts';

/** What a form may weigh beside its file: boundaries, headers and fields. */
const FORM_OVERHEAD_BYTES = 65_536;

/** `POST /v1/files`: takes a file as a form, and keeps it. */
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
      if (stored === undefined) throw new Error('a form was read whole, but not its file');
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
    throw badRequest('invalid_value', 'file', 'needs a filename in its Content-Disposition');
  }
  return {
    filename: readFilename(form.filename, 'file'),
    contentType: isMediaType(form.contentType) ? form.contentType : UNKNOWN_TYPE,
    purpose: readPurpose(form.fields.get('purpose')),
  };
}
