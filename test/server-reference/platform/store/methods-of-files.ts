import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { journalIn } from '../../data-folder.ts';

/** Returns the object with the methods of every open file, whose syncs a test can make fail. */
export async function methodsOfFiles(folder: string): Promise<FileHandle> {
  const file = await open(await journalIn(folder));
  await file.close();
  return Object.getPrototypeOf(file) as FileHandle;
}
