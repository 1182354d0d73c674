import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { commandsOf, recipeIndex, recipes } from './read-recipe.ts';
import { readerFolder } from './reader-folder.ts';
import type { ReaderFolder } from './reader-folder.ts';
import { typeRecipe } from './type-recipe.ts';
import { canIsolate } from './typed-shell.ts';
import { jobSteps } from './workflow.ts';

/** A page about a server has its name. It is left out when the server is not installed; the run then says so. */
const typed = recipes().filter(
  ({ name }) => !inject('missingPrograms').some((kind) => kind === name),
);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasSqlite = major > 22 || (major === 22 && minor >= 13);

describe('a reader with packed packages', () => {
  const clone = mkdtempSync(join(tmpdir(), 'hookproof-clone-'));
  const isolated = canIsolate();
  let reader: ReaderFolder;
  beforeAll(async () => {
    const packages = join(clone, 'packages');
    execFileSync(process.execPath, [join(ROOT, '.ci/pack.mjs'), packages], { stdio: 'ignore' });
    const [install = '', sqlite = ''] = commandsOf(recipeIndex());
    reader = await readerFolder(hasSqlite ? [install] : [install, sqlite], clone);
  });
  afterAll(async () => {
    await reader.remove();
    rmSync(clone, { recursive: true });
  });

  test.each(typed)('types $name', (recipe) => typeRecipe(recipe, reader, isolated));

  test.each(typed.filter(({ name }) => name === 'github-actions'))(
    'runs the job of $name, without the actions that only GitHub has',
    (recipe) => typeRecipe({ ...recipe, steps: jobSteps(recipe) }, reader, isolated),
  );

  test('is stopped by a line that does not work', async () => {
    const command = { kind: 'command', line: 7, command: 'echo one; false' } as const;
    const failing = { name: 'page', text: '', steps: [command] };
    await expect(typeRecipe(failing, reader, isolated)).rejects.toMatchObject({
      message: 'docs/recipes/page.md:7 must work as typed.',
      cause: { message: expect.stringMatching(/"echo one; false" must exit with 0, got 1:\none/) },
    });
  });
});
