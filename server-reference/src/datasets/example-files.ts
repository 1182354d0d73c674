import type { StoredFile } from '../state/stored-file.ts';

/** The files in the order that an example keeps them in: by path, character by character. */
export function inOrder(files: readonly StoredFile[]): StoredFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * The first file that leaves no room for one at `path`: it has the path, or one of the two would have
 * to be a folder of the other.
 */
export function occupantOf<T extends Pick<StoredFile, 'path'>>(
  files: readonly T[],
  path: string,
): T | undefined {
  return files.find(
    (file) =>
      file.path === path || file.path.startsWith(`${path}/`) || path.startsWith(`${file.path}/`),
  );
}
