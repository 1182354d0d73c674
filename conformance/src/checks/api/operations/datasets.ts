import { posix } from 'node:path';

import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { CheckContext } from '../../../check-kit/check.ts';
import { pathOf } from '../../../http/contract.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { violation } from '../../../check-kit/expect.ts';
import { archivePathOf } from './dataset-files.ts';
import type { DatasetFile, Folder } from './dataset-files.ts';
import { freshExport } from './export.ts';
import type { Export } from './export.ts';
import { openSandbox } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';

export const RENAME_NEEDS = [
  'control',
  'fixture.datasetAutomationId',
  'fixture.exampleId',
  'fixture.exampleName',
  'fixture.expectedFilePath',
] as const;

/** Changes of files cannot be undone: each check needs its own world. */
export const expectedRename: Area = area('api.expected-rename', {
  access: 'write',
  needs: RENAME_NEEDS,
});

/** A dataset that a check changes. */
export interface Dataset {
  readonly sandbox: Sandbox;
  /** The dataset at the start of the check. */
  readonly before: Export;
  /** The dataset now. */
  read(): Promise<Export>;
}

export async function openDataset(context: CheckContext): Promise<Dataset> {
  const sandbox = await openSandbox(context);
  const automation = sandbox.fixture('datasetAutomationId');
  const read = (): Promise<Export> => freshExport(sandbox.api, { automation, key: sandbox.key });
  return { sandbox, before: await read(), read };
}

/** The file of the example that the fixtures name. */
export function namedFile(dataset: Dataset, folder: Folder): DatasetFile {
  const path = dataset.sandbox.fixture(folder === 'input' ? 'inputFilePath' : 'expectedFilePath');
  return findFile(dataset, folder, path, (file) => file.path === path);
}

/** A file in a subfolder of the example. */
export function nestedFile(dataset: Dataset, folder: Folder): DatasetFile {
  return findFile(dataset, folder, 'file in a subfolder', ({ path }) => path.includes('/'));
}

function findFile(
  { sandbox, before }: Dataset,
  folder: Folder,
  what: string,
  fits: (file: DatasetFile) => boolean,
): DatasetFile {
  const name = sandbox.fixture('exampleName');
  const found = [...before.files.values()].find(
    (file) => file.example === name && file.folder === folder && fits(file),
  );
  if (found !== undefined) return found;
  throw new CouldNotRun(
    `no ${what} in the ${folder} folder of the exported example ${name}`,
    'create such an example in POST /worlds of the control interface',
  );
}

/** Throws a violation that shows `response` when the export still contains the file. */
export async function expectGone(
  dataset: Dataset,
  { example, folder, path }: DatasetFile,
  response: ApiResponse,
): Promise<void> {
  const archivePath = archivePathOf(example, folder, path);
  await expectShown(dataset, ({ files }) => {
    if (!files.has(archivePath)) return;
    throw violation(`no ${archivePath} in the export`, 'the export contains it', response);
  });
}

/** Reads the dataset until `judge` accepts it, as long as an effect may take. */
export function expectShown(dataset: Dataset, judge: (exported: Export) => void): Promise<Export> {
  return dataset.sandbox.effects.shown(() => dataset.read(), judge);
}

/** Default: the id of the dataset's automation, and the key of the sandbox. */
interface Caller {
  readonly automation?: string;
  readonly key?: ApiRequest['key'] & {};
}

/** Renames an expected file. */
export function renameExpected(
  sandbox: Sandbox,
  file: DatasetFile,
  json: unknown,
  caller: Caller = {},
): Promise<ApiResponse> {
  const { path, key } = locate(sandbox, file, caller);
  return sandbox.api.send({ method: 'PATCH', path, key, json });
}

/** Deletes an input file. */
export function deleteInput(
  sandbox: Sandbox,
  file: DatasetFile,
  caller: Caller = {},
): Promise<ApiResponse> {
  const { path, key } = locate(sandbox, file, caller);
  return sandbox.api.send({ method: 'DELETE', path, key });
}

/** A new basename with the same extension. */
export function newNameFor({ path }: DatasetFile): string {
  return `renamed-by-the-suite${posix.extname(path)}`;
}

function locate(
  sandbox: Sandbox,
  { folder, path }: DatasetFile,
  { automation = sandbox.fixture('datasetAutomationId'), key = sandbox.key }: Caller,
): { readonly path: string; readonly key: ApiRequest['key'] & {} } {
  const operation = folder === 'input' ? 'deleteInputFile' : 'renameExpectedFile';
  const exampleId = sandbox.fixture('exampleId');
  return { path: pathOf(operation, { id: automation, exampleId, path }), key };
}
