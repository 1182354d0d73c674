import { ApiError, issue } from '../http/api-error.ts';
import type { ExampleRecord, StoredFile } from '../state/datasets.ts';
import { exampleNameKey, foldName } from '../state/example-order.ts';
import type { AutomationId, ExampleId } from '../state/ids.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import type { Blobs } from '../store/blobs.ts';
import { nextId } from '../store/seed.ts';

/** The members that a caller may leave out. Each is null by default. */
type Optional = 'inputJson' | 'expectedJson' | 'metadata' | 'annotation' | 'rowOrder' | 'overrides';

/** The parts of a new example. */
export type NewExample = Omit<
  ExampleRecord,
  Optional | 'id' | 'number' | 'latestRunId' | 'updatedAt'
> &
  Partial<Pick<ExampleRecord, Optional>>;

/**
 * Adds an example to the dataset of its automation.
 *
 * @throws {ApiError} 409 `example_name_conflict`, see {@link refuseTakenName}
 */
export function addExample(state: State, parts: NewExample): ExampleRecord {
  refuseTakenName(state, parts.automationId, parts.name);
  const example: ExampleRecord = {
    id: nextId(state, 'ex_'),
    inputJson: null,
    expectedJson: null,
    metadata: null,
    annotation: null,
    rowOrder: null,
    overrides: null,
    ...parts,
    number: state.ids.drawn,
    latestRunId: null,
    updatedAt: null,
  };
  state.examples.add(example);
  return example;
}

/** Returns whether the dataset has an example with this name, whatever the case of its letters. */
export function isNameTaken(
  { grouped }: ReadonlyState,
  automationId: AutomationId,
  name: string,
  except?: ExampleId,
): boolean {
  const owners = grouped.examplesByName.of(exampleNameKey(automationId, name));
  return [...owners].some((id) => id !== except);
}

/**
 * Refuses a name that another example of the dataset has. Names that differ only in case are the same, because
 * an archive of both could not be unpacked everywhere.
 *
 * @throws {ApiError} 409 `example_name_conflict`
 */
export function refuseTakenName(
  state: ReadonlyState,
  automationId: AutomationId,
  name: string,
  except?: ExampleId,
): void {
  if (!isNameTaken(state, automationId, name, except)) return;
  const message = 'must be unique in the dataset; another example has this name';
  throw new ApiError(409, [issue('example_name_conflict', 'name', message)], {
    hint: 'Names that differ only in case count as equal.',
  });
}

/** Returns a name that no example of the dataset has. */
export function freeExampleName(state: ReadonlyState, automationId: AutomationId): string {
  let number = state.datasets.of(automationId).length + 1;
  while (isNameTaken(state, automationId, `example-${number}`)) number += 1;
  return `example-${number}`;
}

/** Returns the files in the order of an example: by path, character by character. */
export function inOrder(files: readonly StoredFile[]): StoredFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Returns the first file that conflicts with a file at `path`: it has the same path, or one of the two would
 * have to be a folder of the other. The case of letters does not matter, because the files could not be
 * unpacked side by side everywhere.
 */
export function occupantOf<T extends Pick<StoredFile, 'path'>>(
  files: readonly T[],
  path: string,
): T | undefined {
  const folded = foldName(path);
  return files.find((file) => {
    const other = foldName(file.path);
    return other === folded || other.startsWith(`${folded}/`) || folded.startsWith(`${other}/`);
  });
}

/** Sorts before every character of a path, so that a folder stands directly before what is in it. */
const SEPARATOR = '\0';

/**
 * Returns two files that conflict as in {@link occupantOf}; undefined without any. Thousands of files need no
 * comparison of each pair.
 */
export function conflictOf<T extends Pick<StoredFile, 'path'>>(
  files: Iterable<T>,
): readonly [T, T] | undefined {
  const sorted = Array.from(files, (file) => ({
    file,
    key: foldName(file.path).replaceAll('/', SEPARATOR),
  })).toSorted((one, other) => (one.key < other.key ? -1 : 1));
  for (const [index, { file, key }] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next?.key === key || next?.key.startsWith(key + SEPARATOR) === true) {
      return [file, next.file];
    }
  }
  return undefined;
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
