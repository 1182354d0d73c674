import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { expectAllowed } from '../../../check-kit/expect.ts';
import { archivePathOf } from '../operations/dataset-files.ts';
import {
  DELETE_NEEDS,
  deleteInput,
  deleteNamed,
  expectGone,
  expectShown,
  namedFile,
  nestedFile,
  openDataset,
} from '../operations/datasets.ts';
import { expectFiles } from '../operations/export.ts';

/** No operation takes a deletion back: outside a world, a run deletes one file, and the checks share that. */
const inputDelete = area('api.input-delete', {
  access: 'delete',
  exclusive: 'without-worlds',
  needs: DELETE_NEEDS,
});
const WORLD = ['control', ...DELETE_NEEDS, 'fixture.inputFilePath'] as const;

/** Deletions of an input file, judged by exports before and after. */
export const inputDeleteChecks: readonly Check[] = [
  inputDelete.check({
    name: 'deletes',
    requirements: ['input-delete.deletes', 'input-delete.no-request-body'],
    title: 'a delete without a body removes one input file and nothing else',
    async run(context) {
      const { dataset, file, response } = await deleteNamed(context);
      expectAllowed(response);
      const expected = new Map(dataset.before.files);
      expected.delete(archivePathOf(file.example, 'input', file.path));
      await expectShown(dataset, ({ files }) => expectFiles(files, expected, response));
    },
  }),
  inputDelete.check({
    name: 'subfolder',
    requirements: ['input-delete.path'],
    title: 'deletes a file in a subfolder of the input folder',
    needs: WORLD,
    async run(context) {
      const dataset = await openDataset(context);
      const file = nestedFile(dataset, 'input');
      const response = await deleteInput(dataset.sandbox, file);
      expectAllowed(response);
      await expectGone(dataset, file, response);
    },
  }),
  inputDelete.check({
    name: 'alias',
    requirements: ['input-delete.alias'],
    needs: [...WORLD, 'fixture.datasetAutomationSlug'],
    title: 'accepts workflows.<slug> in place of the id',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'input');
      const alias = `workflows.${dataset.sandbox.fixture('datasetAutomationSlug')}`;
      const response = await deleteInput(dataset.sandbox, file, alias);
      expectAllowed(response);
      await expectGone(dataset, file, response);
    },
  }),
];
