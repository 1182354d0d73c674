import type { FeedbackExpectedCopy } from '@hookproof/spec';

import type { CorrectedFileForm, CorrectedFileName } from '../../generated/companions.ts';
import { inOrder, readArtifactPath } from '../../api/files/artifact-path.ts';
import { downloadBytes } from '../../api/files/download.ts';
import { readFileLabel } from '../../api/files/file-label.ts';
import {
  addCorrectedFile,
  copyOutput,
  correctedFilesOf,
  refuseConflict,
} from '../../api/runs/corrected-files.ts';
import type { File } from '../../api/runs/corrected-files.ts';
import { findRun } from '../../api/runs/runs.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import { notFound } from '../../errors.ts';
import type { FormFile } from '../../http/read-form.ts';
import type { Download } from '../../http/response.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { RunId } from '../../store/ids.ts';
import type { ReadonlyState, State } from '../../store/state.ts';

/** `POST /v1/runs/{id}/reviews/expected`: the same copy, or a file from a form. */
export function addExpectedReviewFile(
  services: Services,
): Handler<unknown, FeedbackExpectedCopy, FormTexts> {
  const { store } = services;
  return async function handle(
    request: ApiRequest<unknown, FeedbackExpectedCopy, FormTexts>,
  ): Promise<CorrectedFileName> {
    if (request.form === null) return copyOutput(services, request);
    findRun(store.state, request);
    const {
      texts,
      files: [file],
    } = await request.form();
    if (file === undefined) throw new Error('The schema requires the file.');
    const corrected = readCorrectedFile(file, texts.name);
    return store.commit((state) => {
      const field = texts.name === undefined ? 'file' : 'name';
      addCorrectedFile(state, findRun(state, request).id, corrected, field);
      return { name: corrected.path };
    });
  };
}

type FormTexts = Pick<CorrectedFileForm, 'name'>;

/** Without a name, the file has the one that it was sent with. */
function readCorrectedFile(file: FormFile, name: string | undefined): StoredFile {
  const { contentType } = readFileLabel(file, name);
  const path =
    name === undefined
      ? readArtifactPath(file.filename ?? '', 'file')
      : readArtifactPath(name, 'name');
  return { path, contentType, ...file.bytes };
}

/** `GET /v1/runs/{id}/reviews/expected/{filename}`: the bytes of a corrected file. */
export function getExpectedReviewFile({ store, blobs }: Services): Handler {
  return async function handle(request): Promise<Download> {
    const { id } = findRun(store.state, request);
    return downloadBytes(blobs, findCorrectedFile(store.state, id, nameIn(request)));
  };
}

/** `PATCH /v1/runs/{id}/reviews/expected/{filename}`: gives a corrected file another name. */
export function renameExpectedReviewFile({ store }: Services): Handler<unknown, CorrectedFileName> {
  return async function handle(
    request: ApiRequest<unknown, CorrectedFileName>,
  ): Promise<CorrectedFileName> {
    const name = readArtifactPath(request.body.name, 'name');
    return store.commit((state) => {
      renameCorrectedFile(state, findRun(state, request).id, nameIn(request), name);
      return { name };
    });
  };
}

/** `DELETE /v1/runs/{id}/reviews/expected/{filename}`: deletes a corrected file. */
export function deleteExpectedReviewFile({ store }: Services): Handler {
  return async function handle(request): Promise<undefined> {
    await store.commit((state) => {
      deleteCorrectedFile(state, findRun(state, request).id, nameIn(request));
    });
  };
}

function nameIn({ path }: Pick<ApiRequest, 'path'>): string {
  return path['filename'] ?? '';
}

/**
 * Returns the corrected file of a run with this name.
 *
 * @throws {ApiError} `not_found`
 */
function findCorrectedFile(state: ReadonlyState, id: RunId, name: string): File {
  const file = correctedFilesOf(state, id).find(({ path }) => path === name);
  if (file === undefined)
    throw notFound('filename', 'the run has no corrected file with this name');
  return file;
}

/**
 * Gives a corrected file another name, folders included.
 *
 * @throws {ApiError} `not_found`, or `file_name_conflict` if another file has the name
 */
function renameCorrectedFile(state: State, id: RunId, from: string, to: string): void {
  const file = findCorrectedFile(state, id, from);
  const rest = correctedFilesOf(state, id).filter((stored) => stored !== file);
  refuseConflict(rest, to, 'name');
  state.runReviews.edit(id).expectedFiles = inOrder([...rest, { ...file, path: to }]);
}

/**
 * Deletes a corrected file.
 *
 * @throws {ApiError} `not_found`
 */
function deleteCorrectedFile(state: State, id: RunId, name: string): void {
  const file = findCorrectedFile(state, id, name);
  const record = state.runReviews.edit(id);
  record.expectedFiles = record.expectedFiles.filter((stored) => stored !== file);
}
