import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { typeUse } from '../front/front-page.ts';
import { recipes } from './read-recipe.ts';
import { HEAVY_PAGES, readerWithPackages } from './packed-packages.ts';
import type { ReaderFolder } from './reader-folder.ts';
import { runJob, typeRecipe } from './type-recipe.ts';
import { canIsolate } from './typed-shell.ts';
import { jobSteps } from './workflow.ts';

/** A page about a server has its name. It is left out when the server is not installed; the run then says so. */
const typed = recipes().filter(
  ({ name }) => !HEAVY_PAGES.has(name) && !inject('missingPrograms').some((kind) => kind === name),
);

describe('a reader with packed packages', () => {
  const isolated = canIsolate();
  let reader: ReaderFolder;
  beforeAll(async () => {
    reader = await readerWithPackages();
  });
  afterAll(() => reader.remove());

  // Each page has a network of its own, and waits for npm most of the time.
  const together = isolated ? test.concurrent : test;

  together.each(typed)('types $name', (recipe) => typeRecipe(recipe, reader, isolated));

  together.each(typed.filter(({ name }) => name === 'github-actions'))(
    'runs the job of $name, without the actions that only GitHub has',
    (recipe) => runJob({ ...recipe, steps: jobSteps(recipe) }, reader, isolated),
  );

  together('types the front page, from the app on', async () => {
    const app = await reader.copy();
    await typeUse(app, { ...reader.environment, XDG_STATE_HOME: `${app}-state` }, isolated);
  });

  test('is stopped by a line that does not work', async () => {
    const command = { kind: 'command', line: 7, command: 'echo one; false' } as const;
    const failing = { name: 'page', text: '', steps: [command] };
    await expect(typeRecipe(failing, reader, isolated)).rejects.toMatchObject({
      message: 'docs/recipes/page.md:7 must work as typed.',
      cause: { message: expect.stringMatching(/"echo one; false" must exit with 0, got 1:\none/) },
    });
  });
});
