import type { ExpectedFileRename, ExpectedFileRenamed } from '@hookproof/spec';

import { ApiError, badRequest, issue, notFound } from '../app/api-error.ts';
import type { ApiRequest, Handler, Services } from '../app/handler.ts';
import { readArtifactPath, readBasename } from '../datasets/artifact-path.ts';
import { inOrder, occupantOf } from '../datasets/example-files.ts';
import { findExample } from '../datasets/find-example.ts';
import type { StoredFile } from '../state/stored-file.ts';
import { findAutomation } from './find-automation.ts';

/** `PATCH …/examples/{exampleId}/expected/{path}`: a new basename; the folder stays. */
export function renameExpectedFile({ store }: Services): Handler<unknown, ExpectedFileRename> {
  return async function handle({
    key,
    path,
    body,
  }: ApiRequest<unknown, ExpectedFileRename>): Promise<ExpectedFileRenamed> {
    const from = readArtifactPath(path['path'] ?? '', 'path');
    if (body.newFilename === undefined) {
      throw badRequest('invalid_value', 'newFilename', 'is required');
    }
    const filename = readBasename(body.newFilename, 'newFilename');
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const to = readArtifactPath(folder + filename, 'newFilename');
    return store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      const example = findExample(state, automation, path['exampleId'] ?? '');
      const file = example.expected.find((one) => one.path === from);
      if (file === undefined) throw notFound('path', 'the example has no expected file there');
      const others = example.expected.filter((one) => one !== file);
      refuseTaken(others, to);
      example.expected = inOrder([...others, { ...file, path: to }]);
      return { ok: true, filename, path: to };
    });
  };
}

function refuseTaken(others: readonly StoredFile[], path: string): void {
  const occupant = occupantOf(others, path);
  if (occupant === undefined) return;
  const what = occupant.path === path ? 'a file' : 'a folder';
  const message = `there is ${what} with this name beside it`;
  throw new ApiError(409, [issue('file_name_conflict', 'newFilename', message)], {
    hint: 'Choose another name, or rename the other file first.',
  });
}
