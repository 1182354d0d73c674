import type { File } from '@hookproof/spec';

import { Redirect } from '../../http/response.ts';
import type { Download } from '../../http/response.ts';
import type { Handler, Services } from '../services.ts';
import { downloadFile } from './download.ts';
import { findFile, presentFile } from './file.ts';
import { expiryAfter, signAddress, STORAGE_PREFIX } from './signed-url.ts';

/** `GET /v1/files/{id}`: the metadata of a file. */
export function getFile({ store, clock }: Services): Handler {
  return async function handle({ key, path }): Promise<File> {
    return presentFile(findFile(store.state, key.tenantId, path['id'] ?? '', clock.now()));
  };
}

/** `GET /v1/files/{id}/content`: the bytes of a file, or a redirect for a large file. */
export function getFileContent({ store, blobs, clock, settings }: Services): Handler {
  const { redirectAboveBytes, signedUrlSeconds } = settings;
  return async function handle({ key, path, origin }): Promise<Download | Redirect> {
    const now = clock.now();
    const file = findFile(store.state, key.tenantId, path['id'] ?? '', now);
    if (redirectAboveBytes === null || file.size <= redirectAboveBytes) {
      return downloadFile(blobs, file);
    }
    const expires = expiryAfter(now, signedUrlSeconds);
    const grant = { method: 'GET', path: `${STORAGE_PREFIX}/files/${file.id}`, expires } as const;
    return new Redirect(origin + signAddress(grant, store.state.ids.seed));
  };
}
