import { open } from 'node:fs/promises';
import { platform } from 'node:os';

/** A new name in a folder is durable only once the folder is; Windows has no way to ask for it. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
