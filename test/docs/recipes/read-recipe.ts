import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readRecipe } from '../../../bin/dist/commands/init/recipe.js';
import type { Recipe } from '../../../bin/dist/commands/init/recipe.js';
import { ROOT } from '../../compiled-program.ts';

/** Reads every recipe, in the order of the names. The index is no recipe. */
export function recipes(): readonly Recipe[] {
  return readdirSync(join(ROOT, 'docs/recipes'))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .toSorted()
    .map((file) => readRecipe(file.replace('.md', '')));
}

/** Reads the page that lists the recipes. Its commands install the packages before a page. */
export function recipeIndex(): Recipe {
  return readRecipe('README');
}
