import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readSource } from './read-source.ts';
import type { SourceText } from './read-source.ts';

export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

/** Folders that hold TypeScript that ships or builds what ships. */
export const SOURCE_FOLDERS = [
  'receiver/examples',
  'spec/generate',
  'conformance/generate',
  'test/bench',
  'spec/src',
  'receiver/src',
  'server-reference/src',
  'server-reference/dashboard',
  'conformance/src',
  'bin',
] as const;

export interface SourceFile extends SourceText {
  /** Path from the project's root, with forward slashes. */
  readonly path: string;
  readonly folder: (typeof SOURCE_FOLDERS)[number];
}

/** Every hand-written TypeScript file that ships or builds what ships. */
export function sourceFiles(): SourceFile[] {
  return SOURCE_FOLDERS.flatMap((folder) =>
    typescriptFiles(folder).map((path) => sourceFile(folder, path, readText(path))),
  );
}

export function sourceFile(folder: SourceFile['folder'], path: string, text: string): SourceFile {
  return { folder, path, ...readSource(path, text) };
}

/** Every hand-written TypeScript file below a folder. */
export function typescriptFiles(folder: string): string[] {
  const base = join(ROOT, folder);
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .map((name) => relative(ROOT, join(base, name)).split(sep).join('/'))
    .filter((path) => isSource(path) && statSync(join(ROOT, path)).isFile());
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Paths of the files that a file imports by a relative name. */
export function importedFiles({ path, imports }: Pick<SourceFile, 'path' | 'imports'>): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name));
}

function isSource(path: string): boolean {
  return (
    /\.tsx?$/.test(path) &&
    !path.endsWith('.d.ts') &&
    !/(^|\/)(dist|generated|node_modules)\//.test(path)
  );
}
