import type { Handler, Services } from '../app/handler.ts';
import { Redirect } from '../app/reply.ts';
import type { Download } from '../app/reply.ts';
import { downloadFile } from '../files/download-file.ts';
import { findFile } from '../files/find-file.ts';
import { STORAGE_PREFIX, expiryAfter, signAddress } from '../storage/signed-address.ts';

/** `GET /v1/files/{id}/content`: the bytes, or where to get them when they are many. */
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
