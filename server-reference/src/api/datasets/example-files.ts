import type { ExpectedFileRename, ExpectedFileRenamed } from '@hookproof/spec';

import { invalidValue, notFound, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { inOrder, occupantOf, readArtifactPath, readBasename } from '../files/artifact-path.ts';
import type { ApiRequest, Handler, Services } from '../services.ts';
import { findBoth } from './examples.ts';

/** The two folders of an example. */
export type ExampleFolder = 'input' | 'expected';

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
    if (newFilename === undefined) throw invalidValue('newFilename', 'is required');
    const filename = readBasename(newFilename, 'newFilename');
    const to = readArtifactPath(from.slice(0, from.lastIndexOf('/') + 1) + filename, 'newFilename');
    return store.commit((state) => {
      const { example } = findBoth(state, request);
      const file = fileAt(example[folder], from, folder);
      const rest = example[folder].filter((stored) => stored !== file);
      refuseTaken(rest, to, 'newFilename');
      state.examples.edit(example.id)[folder] = inOrder([...rest, { ...file, path: to }]);
      return { ok: true, filename, path: to };
    });
  };
}

/** `DELETE …/examples/{exampleId}/{folder}/{path}`: deletes a file. */
export function deleteExampleFile({ store }: Services, folder: ExampleFolder): Handler {
  return async function handle(request): Promise<undefined> {
    const target = readArtifactPath(request.path['path'] ?? '', 'path');
    await store.commit((state) => {
      const { example } = findBoth(state, request);
      const file = fileAt(example[folder], target, folder);
      const rest = example[folder].filter((stored) => stored !== file);
      state.examples.edit(example.id)[folder] = rest;
    });
    return undefined;
  };
}

export function fileAt(
  files: readonly DeepReadonly<StoredFile>[],
  path: string,
  folder: ExampleFolder,
): DeepReadonly<StoredFile> {
  const file = files.find((stored) => stored.path === path);
  if (file === undefined)
    throw notFound('path', `the example has no ${folder} file with this path`);
  return file;
}

function refuseTaken(
  files: readonly DeepReadonly<StoredFile>[],
  path: string,
  field: string,
): void {
  const occupant = occupantOf(files, path);
  if (occupant !== undefined) throw taken(occupant, path, field);
}

export function taken(
  occupant: Pick<DeepReadonly<StoredFile>, 'path'>,
  path: string,
  field: string,
): ApiError {
  const depth = path.split('/').length;
  const what = occupant.path.split('/').length === depth ? 'a file' : 'a folder';
  const message = `the folder already has ${what} with this name`;
  return refusal('file_name_conflict', field, message, {
    hint: 'Choose another name, or rename the other file first. The case of letters does not matter.',
  });
}
