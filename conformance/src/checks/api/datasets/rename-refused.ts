import { posix } from 'node:path';

import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check } from '../../../check-kit/check.ts';
import {
  assumeSuccess,
  expectRefusal,
  expectStatus,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { archivePathOf } from '../operations/dataset-files.ts';
import type { DatasetFile } from '../operations/dataset-files.ts';
import {
  expectedRename,
  namedFile,
  newNameFor,
  openDataset,
  RENAME_NEEDS,
  renameExpected,
} from '../operations/datasets.ts';
import type { Dataset } from '../operations/datasets.ts';
import { expectFiles } from '../operations/export.ts';
import { fieldSchema, invalidValues } from '../operations/invalid-values.ts';
import { isSuccess } from '../../../http/message.ts';

/** What a lax target could not take back needs a world. */
const WORLD = ['control', ...RENAME_NEEDS] as const;

/** Renames with a wrong body or path. Which strings are valid names is open, so that only their effect is judged. */
export const renameRefusalChecks: readonly Check[] = [
  expectedRename.check({
    needs: WORLD,
    name: 'wrong-type',
    requirements: ['expected-rename.body'],
    title: 'refuses a newFilename that is not a string with 400 and renames nothing',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'expected');
      const probes: { readonly value: unknown; readonly response: ApiResponse }[] = [];
      for (const { value } of invalidValues(fieldSchema('ExpectedFileRename', 'newFilename'))) {
        const response = await renameExpected(dataset.sandbox, file, { newFilename: value });
        probes.push({ value, response });
      }
      const { files, response } = await dataset.read();
      expectFiles(files, dataset.before.files, probes.at(-1)?.response ?? response);
      // The valid rename comes second, because it can succeed only once.
      const valid = await renameExpected(dataset.sandbox, file, { newFilename: newNameFor(file) });
      if (!probes.some((probe) => isSuccess(probe.response))) assumeSuccess(valid);
      await judgeEach(
        probes,
        ({ value }) => `newFilename ${show(value)}`,
        (probe) => expectStatus(probe.response, 400),
      );
    },
  }),
  expectedRename.check({
    needs: WORLD,
    name: 'name-with-slash',
    requirements: ['expected-rename.parent-kept'],
    title: 'a newFilename with a slash moves no file to another folder',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'expected');
      const response = await renameExpected(dataset.sandbox, file, {
        newFilename: `elsewhere/${newNameFor(file)}`,
      });
      if (!isSuccess(response)) expectRefusal(response);
      await expectStayed(dataset, file, response);
    },
  }),
  expectedRename.check({
    needs: WORLD,
    name: 'name-empty',
    requirements: ['expected-rename.renames'],
    title: 'an empty newFilename loses no file',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'expected');
      const response = await renameExpected(dataset.sandbox, file, { newFilename: '' });
      if (!isSuccess(response)) expectRefusal(response);
      await expectStayed(dataset, file, response);
    },
  }),
];

/** Whatever the response, the content of the file is still in its folder. */
async function expectStayed(
  dataset: Dataset,
  file: DatasetFile,
  response: ApiResponse,
): Promise<void> {
  const folder = posix.dirname(archivePathOf(file.example, 'expected', file.path));
  const { files } = await dataset.read();
  const stayed = [...files].some(
    ([archivePath, { content }]) =>
      posix.dirname(archivePath) === folder && content.equals(file.content),
  );
  if (!stayed) throw violation(`the file in ${folder}`, show([...files.keys()]), response);
}
