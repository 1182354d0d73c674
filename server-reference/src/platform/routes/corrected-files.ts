import type {
  CorrectedFile,
  CorrectedFileForm,
  CorrectedFileList,
  CorrectedFileName,
  FeedbackExpectedCopied,
  FeedbackExpectedCopy,
} from '@hookproof/spec';

import { readArtifactPath } from '../datasets/artifact-path.ts';
import { downloadBytes } from '../files/download-file.ts';
import { readFileLabel } from '../files/new-file.ts';
import type { FormFile } from '../http/read-form.ts';
import type { Download } from '../http/response.ts';
import { findRun } from '../resources/find.ts';
import {
  addCorrectedFile,
  correctedFilesOf,
  deleteCorrectedFile,
  findCorrectedFile,
  findOutputFile,
  renameCorrectedFile,
} from '../runs/corrected-files.ts';
import type { StoredFile } from '../state/datasets.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

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
async function copyOutput({ store }: Services, request: CopyRequest): Promise<CorrectedFileName> {
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
    return request.form(async ({ texts, files: [file] }) => {
      if (file === undefined) throw new Error('The schema requires the file.');
      const corrected = readCorrectedFile(file, texts.name);
      return store.commit((state) => {
        const field = texts.name === undefined ? 'file' : 'name';
        addCorrectedFile(state, findRun(state, request).id, corrected, field);
        return { name: corrected.path };
      });
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
