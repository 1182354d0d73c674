import { posix } from 'node:path';

import type { ApiRequest, ApiResponse } from '../../../api-client.ts';
import type { DatasetFile } from '../export/dataset-files.ts';
import type { Stage } from '../stage.ts';

/** By whom, and by which name of the automation; default the owner of the dataset, and its id. */
interface Address {
  readonly automation?: string;
  readonly key?: ApiRequest['key'] & {};
}

/** Sends the rename of an expected file. */
export function renameExpected(
  stage: Stage,
  file: DatasetFile,
  json: unknown,
  address: Address = {},
): Promise<ApiResponse> {
  const { path, key } = locate(stage, file, address);
  return stage.api.send({ method: 'PATCH', path, key, json });
}

/** Sends the deletion of an input file. */
export function deleteInput(
  stage: Stage,
  file: DatasetFile,
  address: Address = {},
): Promise<ApiResponse> {
  const { path, key } = locate(stage, file, address);
  return stage.api.send({ method: 'DELETE', path, key });
}

/** Another basename for the same kind of file. */
export function newNameFor({ path }: DatasetFile): string {
  return `renamed-by-the-suite${posix.extname(path)}`;
}

/** Slashes divide the parts of the path, so they stay as they are. */
function locate(
  stage: Stage,
  { folder, path }: DatasetFile,
  { automation = stage.fixture('datasetAutomationId'), key = stage.key }: Address,
): { readonly path: string; readonly key: ApiRequest['key'] & {} } {
  const example = `${encodeURIComponent(automation)}/examples/${encodeURIComponent(stage.fixture('exampleId'))}`;
  const parts = path.split('/').map(encodeURIComponent).join('/');
  return { path: `/v1/automations/${example}/${folder}/${parts}`, key };
}
