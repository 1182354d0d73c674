import { posix } from 'node:path';

import { importedFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

type Importing = Pick<SourceFile, 'path' | 'imports'>;

/**
 * The imports that leave a folder without an order, each as `folder: entry -> entry (file imports file)`.
 *
 * The entries of a folder are its files and its subfolders, a subfolder with everything below it. A folder has
 * an order when its entries can be listed so that imports between them point one way only.
 */
export function unorderedImports(files: readonly Importing[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  return [...folders].toSorted().flatMap((folder) => {
    const arrows = arrowsWithin(folder, files, paths);
    return arrows
      .filter(({ from, to }) => reaches(to, from, arrows))
      .map(({ from, to, example }) => `${folder}: ${from} -> ${to} (${example})`);
  });
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly example: string;
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

function arrowsWithin(
  folder: string,
  files: readonly Importing[],
  paths: ReadonlySet<string>,
): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const file of files) {
    const from = entryOf(folder, file.path);
    for (const imported of importedFiles(file).filter((path) => paths.has(path))) {
      const to = entryOf(folder, imported);
      if (from === null || to === null || from === to || arrows.has(`${from} ${to}`)) continue;
      arrows.set(`${from} ${to}`, { from, to, example: `${file.path} imports ${imported}` });
    }
  }
  return [...arrows.values()];
}

/** The file or subfolder of a folder in which a path lies; null when it lies elsewhere. */
function entryOf(folder: string, path: string): string | null {
  if (!path.startsWith(`${folder}/`)) return null;
  const [first = '', ...deeper] = path.slice(folder.length + 1).split('/');
  return deeper.length === 0 ? first : `${first}/`;
}

function reaches(start: string, goal: string, arrows: readonly Arrow[]): boolean {
  const seen = new Set([start]);
  for (const entry of seen) {
    for (const { from, to } of arrows) if (from === entry) seen.add(to);
  }
  return seen.has(goal);
}
