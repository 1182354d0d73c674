import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../../compiled-program.ts';
import { commandsOf } from '../../../bin/dist/commands/init/recipe.js';
import { recipeIndex } from './read-recipe.ts';
import { readerFolder } from './reader-folder.ts';
import type { ReaderFolder } from './reader-folder.ts';

/** The frameworks of these pages take a minute to install and build: the long tests type them. */
export const HEAVY_PAGES: ReadonlySet<string> = new Set([
  'nestjs',
  'next',
  'nuxt',
  'react-router',
  'sveltekit',
]);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasSqlite = major > 22 || (major === 22 && minor >= 13);

/** Packs all packages, and installs them as the index of the recipes says. */
export async function readerWithPackages(): Promise<ReaderFolder> {
  const clone = mkdtempSync(join(tmpdir(), 'hookproof-clone-'));
  const packages = join(clone, 'packages');
  execFileSync(process.execPath, [join(ROOT, '.ci/pack.mjs'), packages], { stdio: 'ignore' });
  const [install = '', sqlite = ''] = commandsOf(recipeIndex());
  const reader = await readerFolder(hasSqlite ? [install] : [install, sqlite], clone);
  return {
    ...reader,
    async remove() {
      await reader.remove();
      rmSync(clone, { recursive: true });
    },
  };
}
