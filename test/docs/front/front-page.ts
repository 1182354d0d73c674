import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../compiled-program.ts';
import { stepsOf } from '../../../bin/dist/commands/init/recipe.js';
import type { Step } from '../../../bin/dist/commands/init/recipe.js';
import { follow, inShell } from '../recipes/type-recipe.ts';
import { openShell } from '../recipes/typed-shell.ts';

export const PAGE = 'README.md';

interface FrontPage {
  /** From the clone to an app with the packages. */
  readonly install: readonly Step[];
  /** What a reader does in the app. */
  readonly use: readonly Step[];
}

/** Reads the front page. It begins with a file of the app, which a reader saves when the packages are installed. */
export function frontPage(): FrontPage {
  const all = stepsOf(readFileSync(join(ROOT, PAGE), 'utf8'), PAGE);
  const files = all.filter(({ kind }) => kind === 'file');
  const steps = all.filter(({ kind }) => kind !== 'file');
  const first = steps.findIndex(
    (step) => step.kind === 'command' && step.command.startsWith('export '),
  );
  if (files.length !== 1 || first < 4) throw new Error(`${PAGE} must have a file and an export.`);
  return { install: steps.slice(0, first), use: [...files, ...steps.slice(first)] };
}

/** Types what the page says in an app that has the packages. */
export async function typeUse(
  app: string,
  environment: NodeJS.ProcessEnv,
  isolated: boolean,
): Promise<void> {
  await inShell(await openShell(app, environment, isolated), (shell) =>
    follow(PAGE, frontPage().use, app, shell),
  );
}
