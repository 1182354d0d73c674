import type { Check } from '../../../check-kit/check.ts';
import { expectAllowed, show, violation } from '../../../check-kit/expect.ts';
import { differencesOf, placeOf } from '../operations/dataset-files.ts';
import { base } from './base.ts';
import { expectGone, namedFile, nestedFile, openDataset } from '../operations/datasets.ts';
import { deleteInput } from '../operations/dataset-changes.ts';

/** Deletions of an input file; what is left is read from exports before and after. */
export const inputDeleteChecks: readonly Check[] = [
  {
    ...base('input-delete', 'deletes', 'deletes'),
    title: 'a delete takes this one input file away, and no other',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'input');
      const response = await deleteInput(dataset.sandbox, file);
      expectAllowed(response);
      const expected = new Map(dataset.before.files);
      expected.delete(placeOf(file.example, 'input', file.path));
      const differences = differencesOf(expected, (await dataset.read()).files);
      if (differences.length > 0) {
        throw violation(`${file.path} gone and nothing else`, show(differences), response);
      }
    },
  },
  {
    ...base('input-delete', 'subfolder', 'path'),
    title: 'the path leads from the input folder of the example through subfolders',
    async run(context) {
      const dataset = await openDataset(context);
      const file = nestedFile(dataset, 'input');
      const response = await deleteInput(dataset.sandbox, file);
      expectAllowed(response);
      await expectGone(dataset, file, response);
    },
  },
  {
    ...base('input-delete', 'without-body', 'no-request-body'),
    title: 'a delete without a body and without a content type is accepted',
    async run(context) {
      const dataset = await openDataset(context);
      expectAllowed(await deleteInput(dataset.sandbox, namedFile(dataset, 'input')));
    },
  },
  {
    ...base('input-delete', 'alias', 'alias', 'datasetAutomationSlug'),
    title: 'workflows.<slug> reaches the same file as the id',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'input');
      const alias = `workflows.${dataset.sandbox.fixture('datasetAutomationSlug')}`;
      const response = await deleteInput(dataset.sandbox, file, { automation: alias });
      expectAllowed(response);
      await expectGone(dataset, file, response);
    },
  },
];
