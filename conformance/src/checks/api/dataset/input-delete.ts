import type { Check } from '../../../check.ts';
import { expectAllowed, show, violation } from '../../expect.ts';
import { differencesOf, placeOf } from '../export/dataset-files.ts';
import { base } from './base.ts';
import { expectGone, namedFile, nestedFile, openDataset } from './example-file.ts';
import { deleteInput } from './file-operation.ts';

/** Deletions of an input file; what is left is read from exports before and after. */
export const inputDeleteChecks: readonly Check[] = [
  {
    ...base('input-delete', 'deletes', 'deletes'),
    title: 'a delete takes this one input file away, and no other',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'input');
      const answer = await deleteInput(dataset.stage, file);
      expectAllowed(answer);
      const expected = new Map(dataset.before.files);
      expected.delete(placeOf(file.example, 'input', file.path));
      const differences = differencesOf(expected, (await dataset.read()).files);
      if (differences.length > 0) {
        throw violation(`${file.path} gone and nothing else`, show(differences), answer);
      }
    },
  },
  {
    ...base('input-delete', 'subfolder', 'path'),
    title: 'the path leads from the input folder of the example through subfolders',
    async run(context) {
      const dataset = await openDataset(context);
      const file = nestedFile(dataset, 'input');
      const answer = await deleteInput(dataset.stage, file);
      expectAllowed(answer);
      await expectGone(dataset, file, answer);
    },
  },
  {
    ...base('input-delete', 'without-body', 'no-request-body'),
    title: 'a delete without a body and without a content type is accepted',
    async run(context) {
      const dataset = await openDataset(context);
      expectAllowed(await deleteInput(dataset.stage, namedFile(dataset, 'input')));
    },
  },
  {
    ...base('input-delete', 'alias', 'alias', 'datasetAutomationSlug'),
    title: 'workflows.<slug> reaches the same file as the id',
    async run(context) {
      const dataset = await openDataset(context);
      const file = namedFile(dataset, 'input');
      const alias = `workflows.${dataset.stage.fixture('datasetAutomationSlug')}`;
      const answer = await deleteInput(dataset.stage, file, { automation: alias });
      expectAllowed(answer);
      await expectGone(dataset, file, answer);
    },
  },
];
