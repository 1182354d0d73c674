import { inOrder, occupantOf } from '../datasets/examples.ts';
import { ApiError, issue, notFound } from '../http/api-error.ts';
import type { StoredFile } from '../state/datasets.ts';
import type { RunId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import { pruneHistory } from '../store/prune-history.ts';

type File = DeepReadonly<StoredFile>;

/** Returns the corrected files of a run, ordered by name. */
export function correctedFilesOf(state: ReadonlyState, id: RunId): readonly File[] {
  return state.runReviews.get(id)?.expectedFiles ?? [];
}

/**
 * Returns the corrected file of a run with this name.
 *
 * @throws {ApiError} 404
 */
export function findCorrectedFile(state: ReadonlyState, id: RunId, name: string): File {
  const file = correctedFilesOf(state, id).find(({ path }) => path === name);
  if (file === undefined)
    throw notFound('filename', 'the run has no corrected file with this name');
  return file;
}

const OUTPUT_FOLDER = 'output/';

/**
 * Returns the output file of a run with this name, or with this path as the artifacts of the run show it.
 *
 * @throws {ApiError} 404
 */
export function findOutputFile({ outputFiles }: DeepReadonly<RunRecord>, nameOrPath: string): File {
  const named = (name: string): File | undefined => outputFiles.find(({ path }) => path === name);
  const isPath = nameOrPath.startsWith(OUTPUT_FOLDER);
  const file =
    named(nameOrPath) ?? (isPath ? named(nameOrPath.slice(OUTPUT_FOLDER.length)) : undefined);
  if (file !== undefined) return file;
  throw notFound('outputFileName', 'the run has no output file with this name');
}

/**
 * Adds a corrected file to a run, which needs no review. Replaces a file with the same name.
 *
 * @param field - the request field with the name
 * @throws {ApiError} 409 `file_name_conflict`
 */
export function addCorrectedFile(state: State, id: RunId, file: File, field: string): void {
  const others = correctedFilesOf(state, id).filter(({ path }) => path !== file.path);
  refuseConflict(others, file.path, field);
  if (!state.runReviews.has(id)) state.runReviews.add({ id, review: null, expectedFiles: [] });
  state.runReviews.edit(id).expectedFiles = inOrder([...others, file]);
  pruneHistory(state);
}

/**
 * Gives a corrected file another name, folders included.
 *
 * @throws {ApiError} 404, or 409 `file_name_conflict` if another file has the name
 */
export function renameCorrectedFile(state: State, id: RunId, from: string, to: string): void {
  const file = findCorrectedFile(state, id, from);
  const others = correctedFilesOf(state, id).filter((one) => one !== file);
  refuseConflict(others, to, 'name');
  state.runReviews.edit(id).expectedFiles = inOrder([...others, { ...file, path: to }]);
}

/**
 * Deletes a corrected file.
 *
 * @throws {ApiError} 404
 */
export function deleteCorrectedFile(state: State, id: RunId, name: string): void {
  const file = findCorrectedFile(state, id, name);
  const record = state.runReviews.edit(id);
  record.expectedFiles = record.expectedFiles.filter((one) => one !== file);
}

function refuseConflict(others: readonly File[], name: string, field: string): void {
  const occupant = occupantOf(others, name);
  if (occupant === undefined) return;
  const message =
    occupant.path.toLowerCase() === name.toLowerCase()
      ? 'is the name of another corrected file'
      : 'conflicts with a corrected file: one of them would have to be a folder';
  throw new ApiError(409, [issue('file_name_conflict', field, message)], {
    hint: 'Choose another name, or rename the other file first.',
  });
}
