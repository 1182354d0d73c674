import type { ApiResponse } from '../../../clients/api-client.ts';
import type { CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { violation } from '../../../check-kit/expect.ts';
import { placeOf } from './dataset-files.ts';
import type { DatasetFile, Folder } from './dataset-files.ts';
import { freshExport } from './export.ts';
import type { Export } from './export.ts';
import { openSandbox } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** A dataset to change, as it was when the check began. */
export interface Dataset {
  readonly sandbox: Sandbox;
  readonly before: Export;
  /** As it is now. */
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

/** A file of the example that lies in a subfolder. */
export function nestedFile(dataset: Dataset, folder: Folder): DatasetFile {
  return findFile(dataset, folder, 'subfolder with a file', ({ path }) => path.includes('/'));
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
    `the export shows no ${what} in the ${folder} folder of the example ${name}`,
    'let POST /worlds of the control interface make an example that has one',
  );
}

/** Throws a violation that shows `answer` when the file is still where it was. */
export async function expectGone(
  dataset: Dataset,
  { example, folder, path }: DatasetFile,
  response: ApiResponse,
): Promise<void> {
  const place = placeOf(example, folder, path);
  const { files } = await dataset.read();
  if (files.has(place)) {
    throw violation(`no ${place} in the export any more`, 'it is still there', response);
  }
}
