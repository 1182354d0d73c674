import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { compiledProgram, ROOT } from '../compiled-program.ts';

// The copy is inside node_modules of the repository, so that it finds the same dependencies.
const CACHE = join(ROOT, 'node_modules/.cache/hookproof-mutants');

/** A replacement of text in one file. */
export interface Patch {
  readonly id: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A folder with a patched copy of a room under its package name, and a program that starts it. */
export interface Build {
  readonly program: string;
  readonly folder: string;
  remove(): void;
}

const STARTS = {
  'server-reference': compiledProgram(new URL('programs/server.ts', import.meta.url)),
  receiver: join(ROOT, 'receiver/examples/dist/consumer/main.js'),
};
export type Room = keyof typeof STARTS;

/** Builds a target. Without a patch, it is the reference. Throws if `find` does not occur exactly once. */
export function build(room: Room, patch?: Patch): Build {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, `${patch?.id ?? 'reference'}-`));
  const home = join(folder, 'node_modules/@hookproof', room);
  for (const path of ['package.json', ...shippedFiles(room)]) {
    cpSync(join(ROOT, room, path), join(home, path), {
      recursive: true,
      filter: (source) => !source.endsWith('.map') && !source.endsWith('.d.ts'),
    });
  }
  const program = join(folder, 'start.mjs');
  cpSync(STARTS[room], program);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    if (patch !== undefined) apply(patch, join(folder, 'node_modules/@hookproof', patch.file));
  } catch (error) {
    remove();
    throw error;
  }
  return { program, folder, remove };
}

/** The files and folders that the package of the room contains. */
function shippedFiles(room: Room): string[] {
  const { files } = JSON.parse(readFileSync(join(ROOT, room, 'package.json'), 'utf8'));
  return files.filter((path: string) => !path.startsWith('!'));
}

function apply({ id, file, find, replace }: Patch, path: string): void {
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) {
    throw new Error(
      `${id}: the text to replace must occur once in ${file}, it occurs ${parts.length - 1} times: ${find}`,
    );
  }
  writeFileSync(path, parts.join(replace));
}
