import { posix } from 'node:path';

import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { Inconclusive, NotApplicable } from '../../../verdict/findings.ts';
import {
  expectAllowed,
  isRefused,
  assumeSuccess,
  expectEqual,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { archivePathOf } from '../operations/dataset-files.ts';
import type { DatasetFile, DatasetFiles } from '../operations/dataset-files.ts';
import {
  expectedRename,
  expectGone,
  expectShown,
  namedFile,
  nestedFile,
  newNameFor,
  openDataset,
  RENAME_NEEDS,
  renameExpected,
} from '../operations/datasets.ts';
import type { Dataset } from '../operations/datasets.ts';
import { expectFiles } from '../operations/export.ts';
import { membersOf } from '../../../http/message.ts';

/** Renames of an expected file, judged by exports before and after. */
export const expectedRenameChecks: readonly Check[] = [
  expectedRename.check({
    name: 'renames',
    requirements: ['expected-rename.renames'],
    title: 'a rename changes the basename of one file and nothing else',
    async run(context) {
      const { dataset, file, response } = await renameNamed(context);
      expectAllowed(response);
      await expectShown(dataset, ({ files }) => {
        // Another check judges whether it stayed in its folder.
        const path = foundAgain(dataset, file, files) ?? newPathOf(file);
        const expected = new Map(dataset.before.files);
        expected.delete(archivePathOf(file.example, 'expected', file.path));
        expected.set(archivePathOf(file.example, 'expected', path), file);
        expectFiles(files, expected, response);
      });
    },
  }),
  expectedRename.check({
    name: 'parent-kept',
    requirements: ['expected-rename.parent-kept'],
    title: 'a renamed file stays in its folder',
    async run(context) {
      const { dataset, file, response } = await renameNamed(context);
      assumeSuccess(response);
      const path = foundAgain(dataset, file, (await dataset.read()).files);
      if (path === undefined) {
        throw new Inconclusive('Cannot judge: the export has no file of the new name.', {
          reportedBy: 'api.expected-rename.renames',
        });
      }
      if (path !== newPathOf(file)) throw violation(newPathOf(file), path, response);
    },
  }),
  expectedRename.check({
    name: 'subfolder',
    requirements: ['expected-rename.path'],
    title: 'renames a file in a subfolder of the expected folder',
    async run(context) {
      const dataset = await openDataset(context);
      const file = nestedFile(dataset, 'expected');
      const response = await renameExpected(dataset.sandbox, file, {
        newFilename: newNameFor(file),
      });
      expectAllowed(response);
      await expectGone(dataset, file, response);
    },
  }),
  expectedRename.check({
    name: 'name-kept',
    requirements: ['expected-rename.renames'],
    title: 'a new name is kept character for character',
    async run(context) {
      const dataset = await openDataset(context);
      let file = namedFile(dataset, 'expected');
      // Outside a world, one name is taken back, not a chain of them.
      const names = dataset.sandbox.disposable ? NEW_NAMES : NEW_NAMES.slice(0, 1);
      await judgeEach(
        names,
        ({ what }) => what,
        async ({ nameFor }) => {
          const newFilename = nameFor(file.path);
          const response = await renameExpected(dataset.sandbox, file, { newFilename });
          if (isRefused(response)) {
            throw new NotApplicable(`the API refuses this name with ${response.status}`);
          }
          expectAllowed(response);
          await expectShown(dataset, ({ files }) => expectName(newFilename, files, response));
          file = { ...file, path: posix.join(posix.dirname(file.path), newFilename) };
        },
      );
    },
  }),
  expectedRename.check({
    name: 'names-file',
    requirements: ['expected-rename.response.names-file'],
    title: 'the filename of a rename is the new name, and its path ends with it',
    async run(context) {
      const { file, response } = await renameNamed(context);
      assumeSuccess(response);
      const { filename, path } = membersOf(response.json);
      expectEqual('filename', filename, newNameFor(file), response);
      expectEqual(
        'the last part of path',
        posix.basename(String(path)),
        newNameFor(file),
        response,
      );
    },
  }),
  expectedRename.check({
    name: 'alias',
    requirements: ['expected-rename.alias'],
    needs: [...RENAME_NEEDS, 'fixture.datasetAutomationSlug'],
    title: 'accepts workflows.<slug> in place of the id',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'expected');
      const alias = `workflows.${dataset.sandbox.fixture('datasetAutomationSlug')}`;
      const response = await renameExpected(
        dataset.sandbox,
        file,
        { newFilename: newNameFor(file) },
        alias,
      );
      expectAllowed(response);
      await expectGone(dataset, file, response);
    },
  }),
];

/** Each is the new name of what the one before it made. */
const NEW_NAMES: readonly {
  readonly what: string;
  readonly nameFor: (path: string) => string;
}[] = [
  {
    what: 'a name with other than ASCII characters',
    nameFor: (path) => `Übersicht 日本 😀 it's (1)${posix.extname(path)}`,
  },
  { what: 'a name with another extension', nameFor: () => 'renamed-by-the-suite.other' },
  { what: 'the same name in upper case', nameFor: () => 'RENAMED-BY-THE-SUITE.OTHER' },
];

function expectName(newFilename: string, files: DatasetFiles, response: ApiResponse): void {
  // Some file systems store a name in decomposed form.
  const names = [...files.values()].map(({ path }) => posix.basename(path).normalize());
  if (!names.includes(newFilename)) throw violation(newFilename, show(names), response);
}

async function renameNamed(context: CheckContext): Promise<{
  readonly dataset: Dataset;
  readonly file: DatasetFile;
  readonly response: ApiResponse;
}> {
  const dataset = await openDataset(context);
  const file = namedFile(dataset, 'expected');
  const response = await renameExpected(dataset.sandbox, file, { newFilename: newNameFor(file) });
  return { dataset, file, response };
}

/** The path of the expected file that is new in the example and has the new name. */
function foundAgain(
  { before }: Dataset,
  file: DatasetFile,
  after: DatasetFiles,
): string | undefined {
  const added = [...after]
    .filter(([archivePath]) => !before.files.has(archivePath))
    .map(([, one]) => one);
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
