import { afterAll, beforeAll, describe, test } from 'vitest';

import { HEAVY_PAGES, readerWithPackages } from './packed-packages.ts';
import { recipes } from './read-recipe.ts';
import type { ReaderFolder } from './reader-folder.ts';
import { typeRecipe } from './type-recipe.ts';
import { canIsolate } from './typed-shell.ts';

describe('a reader with packed packages', () => {
  const isolated = canIsolate();
  let reader: ReaderFolder;
  beforeAll(async () => {
    reader = await readerWithPackages();
  });
  afterAll(() => reader.remove());

  test.each(recipes().filter(({ name }) => HEAVY_PAGES.has(name)))('types $name', (recipe) =>
    typeRecipe(recipe, reader, isolated),
  );
});
