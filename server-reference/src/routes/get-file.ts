import type { File } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import { findFile } from '../files/find-file.ts';
import { presentFile } from '../files/present-file.ts';

/** `GET /v1/files/{id}`: what a file is, without its bytes. */
export function getFile({ store, clock }: Services): Handler {
  return async function handle({ key, path }): Promise<File> {
    return presentFile(findFile(store.state, key.tenantId, path['id'] ?? '', clock.now()));
  };
}
