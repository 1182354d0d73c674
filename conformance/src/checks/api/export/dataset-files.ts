import type { Archive } from './archive.ts';

/** Folders of an example, by the convention of the archive. */
export const FOLDERS = ['input', 'expected'] as const;
export type Folder = (typeof FOLDERS)[number];

/** One file of an example. */
export interface DatasetFile {
  readonly example: string;
  readonly folder: Folder;
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly content: Buffer;
}

/** The files of examples by their place in the archive; what else lies in it is left open. */
export type DatasetFiles = ReadonlyMap<string, DatasetFile>;

export function datasetFiles(archive: Archive): DatasetFiles {
  const files = new Map<string, DatasetFile>();
  for (const [place, content] of archive) {
    const [, example, folder, path] = /^examples\/([^/]+)\/(input|expected)\/(.+)$/s.exec(place) ?? [];
    if (example === undefined || path === undefined) continue;
    files.set(place, { example, folder: folder === 'input' ? 'input' : 'expected', path, content });
  }
  return files;
}

export function placeOf(example: string, folder: Folder, path: string): string {
  return `examples/${example}/${folder}/${path}`;
}

/** The names of the examples that have files. */
export function exampleNames(files: DatasetFiles): ReadonlySet<string> {
  return new Set([...files.values()].map(({ example }) => example));
}

/** What of the one is not, or not with the same bytes, in the other. */
export function missingFrom(other: DatasetFiles, files: DatasetFiles): readonly string[] {
  return [...files]
    .filter(([place, { content }]) => other.get(place)?.content.equals(content) !== true)
    .map(([place]) => place);
}
