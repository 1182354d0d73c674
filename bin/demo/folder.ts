import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { UsageError } from '../usage-error.ts';

const MARK = '.hookproof-demo';

/** Makes the folder, or empties it when an earlier demo made it; anybody else's files are left alone. */
export function prepareFolder(folder: string): void {
  const foreign =
    existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, MARK));
  if (foreign) {
    throw new UsageError(`${folder} holds files that no demo wrote: name a new folder with --out.`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, MARK), 'Written by hookproof demo, which may delete this folder.\n');
}
