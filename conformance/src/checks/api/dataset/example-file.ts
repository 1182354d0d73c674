import type { ApiResponse } from '../../../api-client.ts';
import type { CheckContext } from '../../../check.ts';
import { CouldNotRun } from '../../../findings.ts';
import { violation } from '../../expect.ts';
import { placeOf } from '../export/dataset-files.ts';
import type { DatasetFile, Folder } from '../export/dataset-files.ts';
import { freshExport } from '../export/download.ts';
import type { Export } from '../export/download.ts';
import { openStage } from '../stage.ts';
import type { Stage } from '../stage.ts';

/** A dataset to change, as it was when the check began. */
export interface Dataset {
  readonly stage: Stage;
  readonly before: Export;
  /** As it is now. */
  read(): Promise<Export>;
}

export async function openDataset(context: CheckContext): Promise<Dataset> {
  const stage = await openStage(context);
  const automation = stage.fixture('datasetAutomationId');
  const read = (): Promise<Export> => freshExport(stage.api, { automation, key: stage.key });
  return { stage, before: await read(), read };
}

/** The file of the example that the fixtures name. */
export function namedFile(dataset: Dataset, folder: Folder): DatasetFile {
  const path = dataset.stage.fixture(folder === 'input' ? 'inputFilePath' : 'expectedFilePath');
  return findFile(dataset, folder, path, (file) => file.path === path);
}

/** A file of the example that lies in a subfolder. */
export function nestedFile(dataset: Dataset, folder: Folder): DatasetFile {
  return findFile(dataset, folder, 'subfolder with a file', ({ path }) => path.includes('/'));
}

function findFile(
  { stage, before }: Dataset,
  folder: Folder,
  what: string,
  fits: (file: DatasetFile) => boolean,
): DatasetFile {
  const name = stage.fixture('exampleName');
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
  answer: ApiResponse,
): Promise<void> {
  const place = placeOf(example, folder, path);
  const { files } = await dataset.read();
  if (files.has(place)) {
    throw violation(`no ${place} in the export any more`, 'it is still there', answer);
  }
}
