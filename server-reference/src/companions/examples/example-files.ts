import type { ExampleFileList, ExampleFilesUploaded } from '../../generated/companions.ts';
import { fileAt, taken } from '../../api/datasets/example-files.ts';
import type { ExampleFolder } from '../../api/datasets/example-files.ts';
import { findBoth } from '../../api/datasets/examples.ts';
import { conflictOf, inOrder, readArtifactPath } from '../../api/files/artifact-path.ts';
import { downloadBytes } from '../../api/files/download.ts';
import { isMediaType, UNKNOWN_TYPE } from '../../api/files/file-label.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import type { FormFile } from '../../http/read-form.ts';
import type { Download } from '../../http/response.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';

/** `GET …/examples/{exampleId}/{folder}`: the paths of the files in a folder. */
export function listExampleFiles({ store: { state } }: Services, folder: ExampleFolder): Handler {
  return async function handle(request): Promise<ExampleFileList> {
    return { files: findBoth(state, request).example[folder].map(({ path }) => path) };
  };
}

/** `POST …/examples/{exampleId}/{folder}`: stores files from a form. One with the same path is replaced. */
export function uploadExampleFiles({ store }: Services, folder: ExampleFolder): Handler {
  return async function handle(request: ApiRequest): Promise<DeepReadonly<ExampleFilesUploaded>> {
    const { form } = request;
    if (form === null) throw new Error('The operation takes a form.');
    findBoth(store.state, request);
    const { files } = await form();
    const given = files.map(readFile);
    return store.commit((state) => {
      const { example } = findBoth(state, request);
      const merged = mergeFiles(example[folder], given);
      state.examples.edit(example.id)[folder] = inOrder(merged);
      return { uploaded: [...new Set(given.map(({ path }) => path))] };
    });
  };
}

/** The name of a part without one. */
const DEFAULT_NAME = 'file';

function readFile({ filename = DEFAULT_NAME, contentType, bytes }: FormFile): StoredFile {
  const path = readArtifactPath(filename, 'file');
  return { path, contentType: isMediaType(contentType) ? contentType : UNKNOWN_TYPE, ...bytes };
}

/** Adds files to a folder. Of several with the same path, the last replaces the others. */
function mergeFiles(
  files: readonly DeepReadonly<StoredFile>[],
  given: readonly StoredFile[],
): DeepReadonly<StoredFile>[] {
  const merged = [...new Map([...files, ...given].map((file) => [file.path, file])).values()];
  const conflict = conflictOf(merged);
  if (conflict !== undefined) throw taken(conflict[0], conflict[1].path, 'file');
  return merged;
}

/** `GET …/examples/{exampleId}/{folder}/{path}`: the bytes of a file. */
export function downloadExampleFile(
  { store: { state }, blobs }: Services,
  folder: ExampleFolder,
): Handler {
  return async function handle(request): Promise<Download> {
    const target = readArtifactPath(request.path['path'] ?? '', 'path');
    return downloadBytes(blobs, fileAt(findBoth(state, request).example[folder], target, folder));
  };
}
