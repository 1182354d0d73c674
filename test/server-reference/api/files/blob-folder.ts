import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The hashes of the bytes in a data folder, and the names of incomplete files. */
export async function blobFiles(dataFolder: string): Promise<string[]> {
  const folder = join(dataFolder, 'blobs');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** The number of files below a folder that this process has open; null where the system does not report it. */
export async function openFilesBelow(folder: string): Promise<number | null> {
  const handles = await readdir('/proc/self/fd').catch(() => null);
  if (handles === null) return null;
  const targets = await Promise.all(
    handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(folder)).length;
}
