import { ApiError, issue } from '../http/api-error.ts';
import type { ExampleRecord, StoredFile } from '../state/datasets.ts';
import type { State } from '../state/state.ts';
import type { Blobs } from '../store/blobs.ts';
import { find, recordsOf } from '../store/records.ts';
import { nextId } from '../store/seed.ts';

/**
 * Adds an example to the dataset of its automation.
 *
 * @throws {ApiError} 409 `example_name_conflict` when the dataset has an example with the same name
 */
export function addExample(state: State, parts: Omit<ExampleRecord, 'id'>): ExampleRecord {
  const dataset = recordsOf(find(state.datasets, parts.automationId) ?? [], state.examples);
  if (dataset.some(({ name }) => name === parts.name)) {
    const message = 'must be unique in the dataset; another example has this name';
    throw new ApiError(409, [issue('example_name_conflict', 'name', message)]);
  }
  const example: ExampleRecord = { id: nextId(state, 'ex_'), ...parts };
  state.examples[example.id] = example;
  state.datasets[example.automationId] = [...dataset, example]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ id }) => id);
  return example;
}

/** Returns the files in the order of an example: by path, character by character. */
export function inOrder(files: readonly StoredFile[]): StoredFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Returns the first file that conflicts with a file at `path`: it has the same path, or one of the two
 * would have to be a folder of the other.
 */
export function occupantOf<T extends Pick<StoredFile, 'path'>>(
  files: readonly T[],
  path: string,
): T | undefined {
  return files.find(
    (file) =>
      file.path === path || file.path.startsWith(`${path}/`) || path.startsWith(`${file.path}/`),
  );
}

/** A file whose bytes are not stored yet. */
export interface FileSource {
  readonly path: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Stores the bytes of files, and protects them from sweeps until `commit` has added the record that
 * refers to them.
 *
 * @param commit - receives the files ordered by path
 */
export async function holdFiles<T>(
  blobs: Blobs,
  files: readonly FileSource[],
  commit: (stored: StoredFile[]) => Promise<T>,
): Promise<T> {
  const held: StoredFile[] = [];
  try {
    for (const { path, contentType, size, bytes } of files) {
      held.push({ path, contentType, ...(await blobs.put(bytes, size)) });
    }
    return await commit(inOrder(held));
  } finally {
    for (const { sha256 } of held) blobs.release(sha256);
  }
}
