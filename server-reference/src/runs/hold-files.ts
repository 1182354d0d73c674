import { Readable } from 'node:stream';

import { inOrder } from '../datasets/example-files.ts';
import type { StoredFile } from '../state/stored-file.ts';
import type { Blobs } from '../store/blobs.ts';

/** A file whose bytes are still at hand. */
export interface FileBytes {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * Puts the bytes of files away, and holds them until `commit` has made the record that names them.
 *
 * @param commit - gets the files ordered by path
 */
export async function holdFiles<T>(
  blobs: Blobs,
  files: readonly FileBytes[],
  commit: (stored: StoredFile[]) => Promise<T>,
): Promise<T> {
  const held: StoredFile[] = [];
  try {
    for (const { path, contentType, bytes } of files) {
      const stored = await blobs.put(Readable.from([bytes]), bytes.length);
      held.push({ path, contentType, ...stored });
    }
    return await commit(inOrder(held));
  } finally {
    for (const { sha256 } of held) blobs.release(sha256);
  }
}
