import { posix } from 'node:path';

import type { ApiResponse } from '../../../api-client.ts';
import type { Check, CheckContext } from '../../../check.ts';
import { Inconclusive } from '../../../findings.ts';
import {
  expectAllowed,
  expectControlPasses,
  expectStatus,
  isSuccess,
  show,
  violation,
} from '../../expect.ts';
import { expectSchema } from '../../schema.ts';
import { differencesOf, placeOf } from '../export/dataset-files.ts';
import type { DatasetFile, DatasetFiles } from '../export/dataset-files.ts';
import { base } from './base.ts';
import { expectGone, namedFile, nestedFile, openDataset } from './example-file.ts';
import type { Dataset } from './example-file.ts';
import { newNameFor, renameExpected } from './file-operation.ts';

/** Renames of an expected file; what became of it is read from exports before and after. */
export const expectedRenameChecks: readonly Check[] = [
  {
    ...base('expected-rename', 'renames', 'renames'),
    title: 'a rename gives the file its new basename, and no other file changes',
    async run(context) {
      const { dataset, file, answer } = await renameNamed(context);
      expectAllowed(answer);
      const { files } = await dataset.read();
      // Whether it stayed in its folder is another question.
      const path = foundAgain(dataset, file, files) ?? newPathOf(file);
      const expected = new Map(dataset.before.files);
      expected.delete(placeOf(file.example, 'expected', file.path));
      expected.set(placeOf(file.example, 'expected', path), file);
      const differences = differencesOf(expected, files);
      if (differences.length > 0) {
        throw violation(`one file changed, to ${newNameFor(file)}`, show(differences), answer);
      }
    },
  },
  {
    ...base('expected-rename', 'parent-kept', 'parent-kept'),
    title: 'a renamed file stays in the folder it was in',
    async run(context) {
      const { dataset, file, answer } = await renameNamed(context);
      expectControlPasses(answer);
      const path = foundAgain(dataset, file, (await dataset.read()).files);
      if (path === undefined) {
        throw new Inconclusive(
          'the file is not found again; see the check api.expected-rename.renames',
        );
      }
      if (path !== newPathOf(file)) throw violation(newPathOf(file), path, answer);
    },
  },
  {
    ...base('expected-rename', 'subfolder', 'path'),
    title: 'the path leads from the expected folder of the example through subfolders',
    async run(context) {
      const dataset = await openDataset(context);
      const file = nestedFile(dataset, 'expected');
      const answer = await renameExpected(dataset.stage, file, { newFilename: newNameFor(file) });
      expectAllowed(answer);
      await expectGone(dataset, file, answer);
    },
  },
  {
    ...base('expected-rename', 'wrong-type', 'body'),
    title: 'a newFilename that is no string is refused with 400',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'expected');
      const probe = await renameExpected(dataset.stage, file, { newFilename: 7 });
      // After a rename there is nothing left to rename, so the valid one comes second.
      const valid = await renameExpected(dataset.stage, file, { newFilename: newNameFor(file) });
      if (!isSuccess(probe)) expectControlPasses(valid);
      expectStatus(probe, 400);
    },
  },
  {
    ...base('expected-rename', 'schema', 'response'),
    title: 'a rename answers with the boolean ok and the strings filename and path',
    async run(context) {
      const { answer } = await renameNamed(context);
      expectAllowed(answer);
      expectSchema('ExpectedFileRenamed', answer.json, answer);
    },
  },
  {
    ...base('expected-rename', 'alias', 'alias', 'datasetAutomationSlug'),
    title: 'workflows.<slug> reaches the same file as the id',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'expected');
      const alias = `workflows.${dataset.stage.fixture('datasetAutomationSlug')}`;
      const answer = await renameExpected(
        dataset.stage,
        file,
        { newFilename: newNameFor(file) },
        { automation: alias },
      );
      expectAllowed(answer);
      await expectGone(dataset, file, answer);
    },
  },
];

async function renameNamed(context: CheckContext): Promise<{
  readonly dataset: Dataset;
  readonly file: DatasetFile;
  readonly answer: ApiResponse;
}> {
  const dataset = await openDataset(context);
  const file = namedFile(dataset, 'expected');
  const answer = await renameExpected(dataset.stage, file, { newFilename: newNameFor(file) });
  return { dataset, file, answer };
}

/** Where among the expected files of the example the one is that was not there before and has the new name. */
function foundAgain(
  { before }: Dataset,
  file: DatasetFile,
  after: DatasetFiles,
): string | undefined {
  const added = [...after].filter(([place]) => !before.files.has(place)).map(([, one]) => one);
  return added.find(
    ({ example, folder, path }) =>
      example === file.example &&
      folder === 'expected' &&
      posix.basename(path) === newNameFor(file),
  )?.path;
}

function newPathOf(file: DatasetFile): string {
  return posix.join(posix.dirname(file.path), newNameFor(file));
}
