import { createHash } from 'node:crypto';

import type { Archive } from './archive.ts';

/** The two folders of an example. */
export type Folder = 'input' | 'expected';

/** One file of an example. */
export interface DatasetFile {
  readonly example: string;
  readonly folder: Folder;
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly content: Buffer;
}

/** The files of examples by their path in the archive. The contract leaves other entries open. */
export type DatasetFiles = ReadonlyMap<string, DatasetFile>;

export function readDatasetFiles(archive: Archive): DatasetFiles {
  const files = new Map<string, DatasetFile>();
  for (const [archivePath, content] of archive) {
    const [, example, folder, path] =
      /^examples\/([^/]+)\/(input|expected)\/(.+)$/s.exec(archivePath) ?? [];
    if (example === undefined || path === undefined) continue;
    files.set(archivePath, {
      example,
      folder: folder === 'input' ? 'input' : 'expected',
      path,
      content,
    });
  }
  return files;
}

export function archivePathOf(example: string, folder: Folder, path: string): string {
  return `examples/${example}/${folder}/${path}`;
}

/** The names of the examples with files. */
export function exampleNames(files: DatasetFiles): ReadonlySet<string> {
  return new Set([...files.values()].map(({ example }) => example));
}

/** The files of certain examples. */
export function filesOf(files: DatasetFiles, examples: readonly string[]): DatasetFiles {
  return new Map([...files].filter(([, { example }]) => examples.includes(example)));
}

/** A digest of each file by its path in the archive, to compare two datasets. */
export function digestsOf(files: DatasetFiles): Readonly<Record<string, string>> {
  const digests = [...files].map(([path, { content }]) => [path, digest(content)] as const);
  return Object.fromEntries(digests.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function digest(content: Uint8Array): string {
  return `sha256 ${createHash('sha256').update(content).digest('hex')}`;
}
