import type { ApiResponse } from '../../../api-client.ts';
import type { Check, CheckContext, Effect } from '../../../check.ts';
import { expectControlPasses, show, violation } from '../../expect.ts';
import { differencesOf } from '../export/dataset-files.ts';
import { isWithheld } from '../file/read-file.ts';
import { sampleExport } from '../export/download.ts';
import { namedFile, openDataset } from './example-file.ts';
import type { Dataset } from './example-file.ts';
import { deleteInput, newNameFor, renameExpected } from './file-operation.ts';

type Key = Dataset['stage']['key'];

/** A dataset is neither shown to a key of another tenant nor changed by it. */
export const foreignDatasetChecks: readonly Check[] = [
  {
    ...base('export-withheld', 'read'),
    title: 'the dataset of another tenant is not exported',
    needs: ['key.main', 'key.otherTenant', 'fixture.datasetAutomationId'],
    async run(context) {
      const automation = context.fixture('datasetAutomationId');
      const own = await sampleExport(context.api, { automation });
      if (isWithheld(own)) expectControlPasses(own);
      const foreign = await sampleExport(context.api, { automation, key: 'otherTenant' });
      if (!isWithheld(foreign)) {
        throw violation('no export', `status ${foreign.status}`, foreign);
      }
    },
  },
  {
    ...base('rename-without-effect', 'write'),
    title: 'a key of another tenant renames no expected file',
    run: (context) =>
      expectUnchanged(context, (dataset, key) => {
        const file = namedFile(dataset, 'expected');
        return renameExpected(dataset.stage, file, { newFilename: newNameFor(file) }, { key });
      }),
  },
  {
    ...base('delete-without-effect', 'delete'),
    title: 'a key of another tenant deletes no input file',
    run: (context) =>
      expectUnchanged(context, (dataset, key) =>
        deleteInput(dataset.stage, namedFile(dataset, 'input'), { key }),
      ),
  },
];

/** What another tenant's key tries, the owner's key can do afterwards. */
async function expectUnchanged(
  context: CheckContext,
  change: (dataset: Dataset, key: Key) => Promise<ApiResponse>,
): Promise<void> {
  const dataset = await openDataset(context);
  const foreign = await change(dataset, dataset.stage.otherTenantKey);
  const differences = differencesOf(dataset.before.files, (await dataset.read()).files);
  if (differences.length > 0) throw violation('an unchanged dataset', show(differences), foreign);
  expectControlPasses(await change(dataset, dataset.stage.key));
}

function base(name: string, effect: Effect): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.tenant.foreign-${name}`,
    requirements: ['auth.tenant.isolation'],
    side: 'api',
    effect,
    needs: [
      'control',
      'key.otherTenant',
      'fixture.datasetAutomationId',
      'fixture.exampleId',
      'fixture.exampleName',
      'fixture.inputFilePath',
      'fixture.expectedFilePath',
    ],
  };
}
