import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, vi } from 'vitest';

import type { Recipe, Step } from '../../../bin/dist/commands/init/recipe.js';
import type { ReaderFolder } from './reader-folder.ts';
import { openShell } from './typed-shell.ts';
import type { TypedShell } from './typed-shell.ts';

const INSTALL = /^npm install /;

/**
 * Does what a page says, from top to bottom, in one shell. The lines that install packages come first and have a shell
 * of their own, because the network of an isolated shell has no registry.
 *
 * @throws {Error} naming the line of the page that did not work
 */
export async function typeRecipe(
  recipe: Recipe,
  reader: ReaderFolder,
  isolated: boolean,
): Promise<void> {
  await inRecipeShell(recipe, reader, isolated, async (shell) => {
    // `expect.poll` needs one test at a time.
    await vi.waitFor(
      () => expect(shell.running(), 'A page must stop what it starts.').toEqual([]),
      60_000,
    );
  });
}

/** Does the steps of a job. What still runs at its end is ended, as the runners of GitHub do. */
export async function runJob(job: Recipe, reader: ReaderFolder, isolated: boolean): Promise<void> {
  await inRecipeShell(job, reader, isolated, async () => {});
}

async function inRecipeShell(
  { name, steps }: Recipe,
  reader: ReaderFolder,
  isolated: boolean,
  atEnd: (shell: TypedShell) => Promise<void>,
): Promise<void> {
  const page = `docs/recipes/${name}.md`;
  const folder = await reader.copy();
  // The servers of another page, which is typed at the same time, are not to be found.
  const environment = { ...reader.environment, XDG_STATE_HOME: `${folder}-state` };
  const first = steps.findIndex((step) => step.kind !== 'command' || !INSTALL.test(step.command));
  await inShell(await openShell(folder, environment, false), (shell) =>
    follow(page, steps.slice(0, first), folder, shell),
  );
  await inShell(await openShell(folder, environment, isolated), async (shell) => {
    await follow(page, steps.slice(first), folder, shell);
    await atEnd(shell);
  });
}

/** Closes the shell after its use. */
export async function inShell<Result>(
  shell: TypedShell,
  use: (shell: TypedShell) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(shell);
  } finally {
    await shell.close();
  }
}

/** Does the steps of a page in their order. Throws an error that names the line that did not work. */
export async function follow(
  page: string,
  steps: readonly Step[],
  folder: string,
  shell: TypedShell,
): Promise<void> {
  for (const step of steps) {
    try {
      await take(step, folder, shell);
    } catch (error) {
      throw new Error(`${page}:${step.line} must work as typed.`, { cause: error });
    }
  }
}

async function take(step: Step, folder: string, shell: TypedShell): Promise<void> {
  if (step.kind === 'command') return shell.type(step.command);
  if (step.kind === 'output') return shell.see(step.lines);
  if (step.kind === 'file') {
    const path = join(folder, step.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, step.text);
  }
}
