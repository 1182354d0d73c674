import { ApiError, ROOT, issue } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { incomingBytes } from '../app/incoming-bytes.ts';
import { fileTooLarge } from '../files/file-too-large.ts';
import { findUpload } from '../files/find-upload.ts';
import { receiveBytes } from '../files/receive-bytes.ts';
import type { UploadRecord } from '../state/file.ts';
import type { State } from '../store/state.ts';
import type { StorageRoute } from './storage-route.ts';

/** `PUT /_storage/uploads/{uploadId}`: takes the bytes of an upload; the last ones to come count. */
export function receiveUpload({ store, blobs, clock }: Services): StorageRoute {
  return {
    method: 'PUT',
    path: '/uploads/:uploadId',
    async handle({ path, incoming, outgoing }) {
      const id = path['uploadId'] ?? '';
      const { size } = findPending(store.state, id, clock.now()).declared;
      if (Number(incoming.headers['content-length'] ?? 0) > size) throw fileTooLarge(size);
      const bytes = await receiveBytes(blobs, incomingBytes(incoming, outgoing), size);
      try {
        await store.commit((state) => {
          findPending(state, id, clock.now()).object = bytes;
        });
      } finally {
        blobs.release(bytes.sha256);
      }
      return undefined;
    },
  };
}

/** Looked for before the bytes come and again when they are there: much may have happened meanwhile. */
function findPending(state: State, id: string, now: number): UploadRecord {
  const upload = findUpload(state, id, now, () => true);
  if (upload.fileId === null) return upload;
  const message = 'the upload was completed: its bytes are final';
  throw new ApiError(409, [issue('upload_completed', ROOT, message)], {
    hint: 'Begin another upload: POST /v1/files/uploads.',
  });
}
