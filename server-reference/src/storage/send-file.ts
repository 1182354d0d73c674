import { notFound } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { downloadFile } from '../files/download-file.ts';
import { findLiveFile } from '../files/find-file.ts';
import type { StorageRoute } from './storage-route.ts';

/** `GET /_storage/files/{fileId}`: the bytes of a file, or a part of them. */
export function sendFile({ store, blobs, clock }: Services): StorageRoute {
  return {
    method: 'GET',
    path: '/files/:fileId',
    async handle({ path, incoming }) {
      const file = findLiveFile(store.state, path['fileId'] ?? '', clock.now());
      if (file === undefined) throw notFound('fileId', 'no file has this id');
      return downloadFile(blobs, file, incoming);
    },
  };
}
