import { inOrder } from '../datasets/example-files.ts';
import type { StoredFile } from '../state/stored-file.ts';
import type { Blobs } from './blobs.ts';

/** A file whose bytes are to come. */
export interface FileSource {
  readonly path: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Puts the bytes of files away, and holds them until `commit` has made the record that names them.
 *
 * @param commit - gets the files ordered by path
 */
export async function holdFiles<T>(
  blobs: Blobs,
  files: readonly FileSource[],
  commit: (stored: StoredFile[]) => Promise<T>,
): Promise<T> {
  const held: StoredFile[] = [];
  try {
    for (const { path, contentType, size, bytes } of files) {
      held.push({ path, contentType, ...(await blobs.put(bytes, size)) });
    }
    return await commit(inOrder(held));
  } finally {
    for (const { sha256 } of held) blobs.release(sha256);
  }
}
