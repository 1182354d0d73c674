import { posix } from 'node:path';

import type {
  ExampleFileList,
  ExampleFilesUploaded,
  ExpectedFileRename,
  ExpectedFileRenamed,
} from '@hookproof/spec';

import { readArtifactPath, readBasename } from '../datasets/artifact-path.ts';
import { conflictOf, inOrder, occupantOf } from '../datasets/examples.ts';
import { downloadFile } from '../files/download-file.ts';
import { isMediaType, UNKNOWN_TYPE } from '../files/new-file.ts';
import { ApiError, badRequest, issue, notFound } from '../http/api-error.ts';
import type { FormFile } from '../http/read-form.ts';
import type { Download } from '../http/response.ts';
import type { StoredFile } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { refuseFull } from '../store/room.ts';
import { findBoth } from './examples.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/** The two folders of an example. */
export type ExampleFolder = 'input' | 'expected';

/** `GET …/examples/{exampleId}/{folder}`: the paths of the files in a folder. */
export function listExampleFiles({ store: { state } }: Services, folder: ExampleFolder): Handler {
  return async function handle(request): Promise<ExampleFileList> {
    return { files: findBoth(state, request).example[folder].map(({ path }) => path) };
  };
}

/** `POST …/examples/{exampleId}/{folder}`: stores files from a form. One with the same path is replaced. */
export function uploadExampleFiles({ store }: Services, folder: ExampleFolder): Handler {
  return async function handle(request: ApiRequest): Promise<DeepReadonly<ExampleFilesUploaded>> {
    refuseFull(store.state);
    const { form } = request;
    if (form === null) throw new Error('The operation takes a form.');
    findBoth(store.state, request);
    return form(async ({ files }) => {
      const given = files.map(readFile);
      return store.commit((state) => {
        const { example } = findBoth(state, request);
        const merged = mergeFiles(example[folder], given);
        state.examples.edit(example.id)[folder] = inOrder(merged);
        return { uploaded: [...new Set(given.map(({ path }) => path))] };
      });
    });
  };
}

/** The name of a part without one. */
const DEFAULT_NAME = 'file';

function readFile({ filename = DEFAULT_NAME, contentType, bytes }: FormFile): StoredFile {
  const path = readArtifactPath(filename, 'file');
  return { path, contentType: isMediaType(contentType) ? contentType : UNKNOWN_TYPE, ...bytes };
}

/** Adds files to a folder. Of several with one path, the last one stays. */
function mergeFiles(
  files: readonly DeepReadonly<StoredFile>[],
  given: readonly StoredFile[],
): DeepReadonly<StoredFile>[] {
  const merged = [...new Map([...files, ...given].map((file) => [file.path, file])).values()];
  const [one, other] = conflictOf(merged) ?? [];
  if (one !== undefined && other !== undefined) throw taken(one, other.path, 'file');
  return merged;
}

/** `GET …/examples/{exampleId}/{folder}/{path}`: the bytes of a file. */
export function downloadExampleFile(
  { store: { state }, blobs }: Services,
  folder: ExampleFolder,
): Handler {
  return async function handle(request): Promise<Download> {
    const place = readArtifactPath(request.path['path'] ?? '', 'path');
    const { size, sha256 } = fileAt(findBoth(state, request).example[folder], place, folder);
    const file = { filename: posix.basename(place), contentType: UNKNOWN_TYPE, size, sha256 };
    return downloadFile(blobs, file, request.incoming);
  };
}

/** `PATCH …/examples/{exampleId}/{folder}/{path}`: renames a file within its folder. */
export function renameExampleFile(
  { store }: Services,
  folder: ExampleFolder,
): Handler<unknown, ExpectedFileRename> {
  return async function handle(
    request: ApiRequest<unknown, ExpectedFileRename>,
  ): Promise<ExpectedFileRenamed> {
    const { newFilename } = request.body;
    const from = readArtifactPath(request.path['path'] ?? '', 'path');
    if (newFilename === undefined) throw badRequest('invalid_value', 'newFilename', 'is required');
    const filename = readBasename(newFilename, 'newFilename');
    const to = readArtifactPath(from.slice(0, from.lastIndexOf('/') + 1) + filename, 'newFilename');
    return store.commit((state) => {
      const { example } = findBoth(state, request);
      const file = fileAt(example[folder], from, folder);
      const others = example[folder].filter((one) => one !== file);
      refuseTaken(others, to, 'newFilename');
      state.examples.edit(example.id)[folder] = inOrder([...others, { ...file, path: to }]);
      return { ok: true, filename, path: to };
    });
  };
}

/** `DELETE …/examples/{exampleId}/{folder}/{path}`: deletes a file. */
export function deleteExampleFile({ store }: Services, folder: ExampleFolder): Handler {
  return async function handle(request): Promise<undefined> {
    const place = readArtifactPath(request.path['path'] ?? '', 'path');
    await store.commit((state) => {
      const { example } = findBoth(state, request);
      const file = fileAt(example[folder], place, folder);
      const others = example[folder].filter((one) => one !== file);
      state.examples.edit(example.id)[folder] = others;
    });
    return undefined;
  };
}

function fileAt(
  files: readonly DeepReadonly<StoredFile>[],
  path: string,
  folder: ExampleFolder,
): DeepReadonly<StoredFile> {
  const file = files.find((one) => one.path === path);
  if (file === undefined)
    throw notFound('path', `the example has no ${folder} file with this path`);
  return file;
}

function refuseTaken(
  others: readonly DeepReadonly<StoredFile>[],
  path: string,
  field: string,
): void {
  const occupant = occupantOf(others, path);
  if (occupant !== undefined) throw taken(occupant, path, field);
}

function taken(
  occupant: Pick<DeepReadonly<StoredFile>, 'path'>,
  path: string,
  field: string,
): ApiError {
  const depth = path.split('/').length;
  const what = occupant.path.split('/').length === depth ? 'a file' : 'a folder';
  const message = `the folder already has ${what} with this name`;
  return new ApiError(409, [issue('file_name_conflict', field, message)], {
    hint: 'Choose another name, or rename the other file first. The case of letters does not matter.',
  });
}
