import type { ExampleRecord } from '../state/example.ts';

/** A file of an archive; its bytes lie under their hash. */
export interface ArchiveFile {
  /** Such as `examples/note-0301/input/scan.pdf`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** What an archive is to hold. */
export interface ArchiveEntries {
  /** Names of the folders that hold nothing. A folder with files needs no entry of its own. */
  readonly folders: readonly string[];
  readonly files: readonly ArchiveFile[];
}

/** Lays a dataset out by its folder convention, in the order of the examples and of their files. */
export function archiveEntries(examples: readonly ExampleRecord[]): ArchiveEntries {
  const parts = examples.flatMap(({ name, input, expected }) => [
    { folder: `examples/${name}/input`, files: input },
    { folder: `examples/${name}/expected`, files: expected },
  ]);
  return {
    folders: parts.filter(({ files }) => files.length === 0).map(({ folder }) => folder),
    files: parts.flatMap(({ folder, files }) =>
      files.map(({ path, size, sha256 }) => ({ name: `${folder}/${path}`, size, sha256 })),
    ),
  };
}
