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

/** The differences between two datasets, in words. */
export function differencesOf(expected: DatasetFiles, actual: DatasetFiles): readonly string[] {
  const missing = [...expected.keys()].filter((archivePath) => !actual.has(archivePath));
  const added = [...actual.keys()].filter((archivePath) => !expected.has(archivePath));
  const changed = [...expected].filter(
    ([archivePath, { content }]) => actual.get(archivePath)?.content.equals(content) === false,
  );
  return [
    ...missing.map((archivePath) => `${archivePath} is missing`),
    ...added.map((archivePath) => `${archivePath} is added`),
    ...changed.map(([archivePath]) => `${archivePath} has other bytes`),
  ];
}
