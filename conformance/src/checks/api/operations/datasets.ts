import { posix } from 'node:path';

import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { onceInARun } from '../../../check-kit/once.ts';
import { pathOf } from '../../../http/contract.ts';
import { membersOf } from '../../../http/message.ts';
import { CouldNotRun, Violation } from '../../../verdict/findings.ts';
import { violation } from '../../../check-kit/expect.ts';
import { archivePathOf } from './dataset-files.ts';
import type { DatasetFile, Folder } from './dataset-files.ts';
import { freshExport } from './export.ts';
import type { Export } from './export.ts';
import { fixtureOrNull } from './files.ts';
import { openSandbox } from './sandbox.ts';

export const RENAME_NEEDS = [
  'key.main',
  'fixture.datasetAutomationId',
  'fixture.exampleId',
  'fixture.exampleName',
  'fixture.expectedFilePath',
] as const;

export const DELETE_NEEDS = [
  'key.main',
  'fixture.datasetAutomationId',
  'fixture.exampleId',
  'fixture.exampleName',
  'world-or.deletableInputPath',
] as const;

/** A renamed file is renamed back. */
export const expectedRename: Area = area('api.expected-rename', {
  access: 'write',
  exclusive: 'without-worlds',
  needs: RENAME_NEEDS,
});

/** A dataset that a check changes. */
export interface Dataset {
  readonly sandbox: CheckContext;
  /** The dataset at the start of the check. */
  readonly before: Export;
  /** The dataset now. */
  read(): Promise<Export>;
}

export async function openDataset(context: CheckContext): Promise<Dataset> {
  const { sandbox, read } = await unreadDataset(context);
  return { sandbox, before: await readBefore(sandbox, read), read };
}

/** Outside a world, another check may have renamed a file back a moment ago, which an export shows later. */
async function readBefore(sandbox: CheckContext, read: Dataset['read']): Promise<Export> {
  const path = sandbox.disposable ? null : fixtureOrNull(sandbox, 'expectedFilePath');
  if (path === null) return read();
  const archivePath = archivePathOf(sandbox.fixture('exampleName'), 'expected', path);
  let last: Export | null = null;
  const renew = async (): Promise<Export> => (last = await read());
  try {
    return await sandbox.effects.shown(renew, ({ files, response }) => {
      if (!files.has(archivePath)) throw violation(archivePath, 'an export without it', response);
    });
  } catch (error) {
    if (last === null || !(error instanceof Violation)) throw error;
    return last;
  }
}

async function unreadDataset(context: CheckContext): Promise<Omit<Dataset, 'before'>> {
  const sandbox = await openSandbox(context);
  const automation = sandbox.fixture('datasetAutomationId');
  return { sandbox, read: () => freshExport(sandbox.api, { automation }) };
}

/** A deletion of the input file that the fixtures name. */
interface Deletion {
  readonly dataset: Dataset;
  readonly file: DatasetFile;
  readonly response: ApiResponse;
}

/** Deletes it, in a world of the check; outside one, once in a run. */
export async function deleteNamed(context: CheckContext): Promise<Deletion> {
  if (controlOrNull(context) !== null) return deletion(context);
  const { dataset, ...made } = await deletedOnce(context);
  return { ...made, dataset: { ...(await unreadDataset(context)), before: dataset.before } };
}

const deletedOnce = onceInARun(deletion);

async function deletion(context: CheckContext): Promise<Deletion> {
  const dataset = await openDataset(context);
  const file = namedFile(dataset, 'input');
  return { dataset, file, response: await deleteInput(dataset.sandbox, file) };
}

/** The file of the example that the fixtures name. */
export function namedFile(dataset: Dataset, folder: Folder): DatasetFile {
  const { sandbox } = dataset;
  const input = sandbox.disposable ? 'inputFilePath' : 'deletableInputPath';
  const path = sandbox.fixture(folder === 'input' ? input : 'expectedFilePath');
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
    sandbox.disposable
      ? 'create such an example in POST /worlds of the control interface'
      : 'name such a file in the fixtures file',
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

/** Renames an expected file. Outside a world, it is renamed back. */
export async function renameExpected(
  sandbox: CheckContext,
  file: DatasetFile,
  json: unknown,
  automation?: string,
): Promise<ApiResponse> {
  const path = pathIn(sandbox, file, automation);
  await renameBackLater(sandbox, file, membersOf(json));
  return sandbox.api.send({ method: 'PATCH', path, json });
}

export async function renameBackLater(
  sandbox: CheckContext,
  { path }: Pick<DatasetFile, 'path'>,
  { newFilename }: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (sandbox.disposable || typeof newFilename !== 'string') return;
  const locatedAt = (at: string): string => pathIn(sandbox, { folder: 'expected', path: at });
  await sandbox.takeBackLater({
    what: `the name of ${path}`,
    path: locatedAt(posix.join(posix.dirname(path), newFilename)),
    json: { newFilename: posix.basename(path) },
    place: locatedAt(path),
  });
}

/** Deletes an input file. */
export function deleteInput(
  sandbox: CheckContext,
  file: DatasetFile,
  automation?: string,
): Promise<ApiResponse> {
  return sandbox.api.send({ method: 'DELETE', path: pathIn(sandbox, file, automation) });
}

/** A new basename with the same extension. */
export function newNameFor({ path }: Pick<DatasetFile, 'path'>): string {
  return `renamed-by-the-suite${posix.extname(path)}`;
}

/** `automation`: its id or alias. */
function pathIn(
  sandbox: CheckContext,
  { folder, path }: Pick<DatasetFile, 'folder' | 'path'>,
  automation: string = sandbox.fixture('datasetAutomationId'),
): string {
  const operation = folder === 'input' ? 'deleteInputFile' : 'renameExpectedFile';
  const exampleId = sandbox.fixture('exampleId');
  return pathOf(operation, { id: automation, exampleId, path });
}
