import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import { parseSync } from 'oxc-parser';

import { ROOT } from '../compiled-program.ts';

/** A TypeScript file with the modules that it names: imports, exports from, and dynamic imports; types included. */
export interface SourceFile {
  /** Path from the project's root, with forward slashes. */
  readonly path: string;
  readonly imports: readonly string[];
}

export function sourceFile(path: string, text: string): SourceFile {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const imports = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) =>
        /^['"](.+)['"]$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
  ];
  return { path, imports: [...new Set(imports)] };
}

/** Every hand-written TypeScript file below a folder. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.split(sep).join('/')))
    .filter(
      (path) => /(?<!\.d)\.tsx?$/.test(path) && !/\/(dist|generated|node_modules)\//.test(path),
    )
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** Paths of the files that a file imports by a relative name. */
export function importedFiles({ path, imports }: SourceFile): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name));
}
