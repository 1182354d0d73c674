import type {
  CorrectedFile,
  CorrectedFileList,
  FeedbackExpectedCopied,
  FeedbackExpectedCopy,
} from '@hookproof/spec';

import type { CorrectedFileName } from '../../generated/companions.ts';
import { notFound, refusal } from '../../errors.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { RunId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import { inOrder, occupantOf, readArtifactPath } from '../files/artifact-path.ts';
import type { ApiRequest, Handler, Services } from '../services.ts';
import { findRun } from './runs.ts';

/** `GET /v1/runs/{id}/reviews/expected`: the corrected files of a run, ordered by name. */
export function listExpectedReviewFiles({ store }: Services): Handler {
  return async function handle(request): Promise<CorrectedFileList> {
    const { id } = findRun(store.state, request);
    const files = correctedFilesOf(store.state, id).map(
      ({ path, contentType, size }): CorrectedFile => ({ name: path, contentType, size }),
    );
    return { files, data: files };
  };
}

type CopyRequest = Pick<ApiRequest<unknown, FeedbackExpectedCopy>, 'key' | 'path' | 'body'>;

/** Copies an output file to the corrected files of its run. */
export async function copyOutput(
  { store }: Services,
  request: CopyRequest,
): Promise<CorrectedFileName> {
  const { outputFileName, expectedName } = request.body;
  const given =
    expectedName === undefined ? undefined : readArtifactPath(expectedName, 'expectedName');
  return store.commit((state) => {
    const run = findRun(state, request);
    const file = findOutputFile(run, outputFileName);
    const name = given ?? file.path;
    const field = given === undefined ? 'outputFileName' : 'expectedName';
    addCorrectedFile(state, run.id, { ...file, path: name }, field);
    return { name };
  });
}

/**
 * `POST /v1/runs/{id}/feedback/expected` and `/api/v1/runs/{id}/feedback/expected`: copies an output file to
 * the corrected files of its run. Replaces a corrected file with the same name.
 */
export function copyOutputToExpected(services: Services): Handler<unknown, FeedbackExpectedCopy> {
  return async function handle(request: CopyRequest): Promise<FeedbackExpectedCopied> {
    return copyOutput(services, request);
  };
}

/** A stored file that nobody changes. */
export type File = DeepReadonly<StoredFile>;

/** Returns the corrected files of a run, ordered by name. */
export function correctedFilesOf(state: ReadonlyState, id: RunId): readonly File[] {
  return state.runReviews.get(id)?.expectedFiles ?? [];
}

const OUTPUT_FOLDER = 'output/';

/**
 * Returns the output file of a run with this name, or with this path as the artifacts of the run show it.
 *
 * @throws {ApiError} `not_found`
 */
function findOutputFile({ outputFiles }: DeepReadonly<RunRecord>, nameOrPath: string): File {
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
 * @throws {ApiError} `file_name_conflict`
 */
export function addCorrectedFile(state: State, id: RunId, file: File, field: string): void {
  const others = correctedFilesOf(state, id).filter(({ path }) => path !== file.path);
  refuseConflict(others, file.path, field);
  if (!state.runReviews.has(id)) state.runReviews.add({ id, review: null, expectedFiles: [] });
  state.runReviews.edit(id).expectedFiles = inOrder([...others, file]);
}

/**
 * Refuses a name that another corrected file has, or that would make one of them a folder.
 *
 * @throws {ApiError} `file_name_conflict`
 */
export function refuseConflict(others: readonly File[], name: string, field: string): void {
  const occupant = occupantOf(others, name);
  if (occupant === undefined) return;
  const message =
    occupant.path.toLowerCase() === name.toLowerCase()
      ? 'is the name of another corrected file'
      : 'conflicts with a corrected file: one of them would have to be a folder';
  throw refusal('file_name_conflict', field, message, {
    hint: 'Choose another name, or rename the other file first.',
  });
}
