import { posix } from 'node:path';

import { describe, expect, test } from 'vitest';

import { importedFiles, sourceFiles } from './imports.ts';
import type { SourceFile } from './imports.ts';

const FOLDERS = [
  'bin',
  'conformance/proof',
  'conformance/src',
  'receiver/src',
  'server-reference/dashboard',
  'server-reference/src',
  'spec/generate',
  'spec/src',
];

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly example: string;
}

/**
 * The imports that leave a folder without an order, each as `folder: entry -> entry (file imports file)`.
 *
 * The entries of a folder are its files and its subfolders, a subfolder with everything below it. A folder has
 * an order when its entries can be listed so that imports between them point one way only.
 */
function unorderedImports(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  return [...folders].toSorted().flatMap((folder) => {
    const arrows = arrowsWithin(folder, files, paths);
    return arrows
      .filter(({ from, to }) => reaches(to, from, arrows))
      .map(({ from, to, example }) => `${folder}: ${from} -> ${to} (${example})`);
  });
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

function arrowsWithin(
  folder: string,
  files: readonly SourceFile[],
  paths: ReadonlySet<string>,
): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const file of files) {
    const from = entryOf(folder, file.path);
    for (const imported of importedFiles(file).filter((path) => paths.has(path))) {
      const to = entryOf(folder, imported);
      if (from === undefined || to === undefined || from === to) continue;
      const example = `${file.path} imports ${imported}`;
      if (!arrows.has(`${from} ${to}`)) arrows.set(`${from} ${to}`, { from, to, example });
    }
  }
  return [...arrows.values()];
}

/** The file or subfolder of a folder in which a path lies. */
function entryOf(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`)
    ? /^[^/]+\/?/.exec(path.slice(folder.length + 1))?.[0]
    : undefined;
}

function reaches(start: string, goal: string, arrows: readonly Arrow[]): boolean {
  const seen = new Set([start]);
  for (const entry of seen) {
    for (const { from, to } of arrows) if (from === entry) seen.add(to);
  }
  return seen.has(goal);
}

test.each(FOLDERS)('the entries of each folder of %s have an order', (folder) => {
  expect(unorderedImports(sourceFiles(folder))).toEqual([]);
});

const file = (path: string, ...imports: string[]): SourceFile => ({ path, imports });

describe('an order', () => {
  test('is missing when two folders point at each other', () => {
    const found = unorderedImports([
      file('src/a/1.ts', '../b/1.ts'),
      file('src/b/1.ts'),
      file('src/b/2.ts', '../a/2.ts'),
      file('src/a/2.ts'),
    ]);
    expect(found).toEqual([
      'src: a/ -> b/ (src/a/1.ts imports src/b/1.ts)',
      'src: b/ -> a/ (src/b/2.ts imports src/a/2.ts)',
    ]);
  });

  test('is found with a file above and another one below a folder', () => {
    const found = unorderedImports([
      file('src/app.ts', './a/1.ts'),
      file('src/a/1.ts', '../names.ts'),
      file('src/names.ts'),
    ]);
    expect(found).toEqual([]);
  });
});
