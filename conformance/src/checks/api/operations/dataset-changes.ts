import { posix } from 'node:path';

import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { DatasetFile } from './dataset-files.ts';
import type { Sandbox } from './sandbox.ts';

/** By whom, and by which name of the automation; default the owner of the dataset, and its id. */
interface Address {
  readonly automation?: string;
  readonly key?: ApiRequest['key'] & {};
}

/** Sends the rename of an expected file. */
export function renameExpected(
  sandbox: Sandbox,
  file: DatasetFile,
  json: unknown,
  address: Address = {},
): Promise<ApiResponse> {
  const { path, key } = locate(sandbox, file, address);
  return sandbox.api.send({ method: 'PATCH', path, key, json });
}

/** Sends the deletion of an input file. */
export function deleteInput(
  sandbox: Sandbox,
  file: DatasetFile,
  address: Address = {},
): Promise<ApiResponse> {
  const { path, key } = locate(sandbox, file, address);
  return sandbox.api.send({ method: 'DELETE', path, key });
}

/** Another basename for the same kind of file. */
export function newNameFor({ path }: DatasetFile): string {
  return `renamed-by-the-suite${posix.extname(path)}`;
}

/** Slashes divide the parts of the path, so they stay as they are. */
function locate(
  sandbox: Sandbox,
  { folder, path }: DatasetFile,
  { automation = sandbox.fixture('datasetAutomationId'), key = sandbox.key }: Address,
): { readonly path: string; readonly key: ApiRequest['key'] & {} } {
  const example = `${encodeURIComponent(automation)}/examples/${encodeURIComponent(sandbox.fixture('exampleId'))}`;
  const parts = path.split('/').map(encodeURIComponent).join('/');
  return { path: `/v1/automations/${example}/${folder}/${parts}`, key };
}
