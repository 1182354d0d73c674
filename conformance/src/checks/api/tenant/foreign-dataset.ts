import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, show, violation } from '../../../check-kit/expect.ts';
import { differencesOf } from '../operations/dataset-files.ts';
import { isWithheld } from '../operations/files.ts';
import { sampleExport } from '../operations/export.ts';
import {
  deleteInput,
  namedFile,
  newNameFor,
  openDataset,
  renameExpected,
} from '../operations/datasets.ts';
import type { Dataset } from '../operations/datasets.ts';

const tenant = area('api.tenant', {
  access: 'read',
  needs: [
    'control',
    'key.otherTenant',
    'fixture.datasetAutomationId',
    'fixture.exampleId',
    'fixture.exampleName',
    'fixture.inputFilePath',
    'fixture.expectedFilePath',
  ],
});

type Key = Dataset['sandbox']['key'];

/** A key of another tenant can neither read nor change a dataset. */
export const foreignDatasetChecks: readonly Check[] = [
  tenant.check({
    name: 'foreign-export-withheld',
    requirements: ['auth.tenant.isolation'],
    title: 'does not export the dataset of another tenant',
    needs: ['key.main', 'key.otherTenant', 'fixture.datasetAutomationId'],
    async run(context) {
      const automation = context.fixture('datasetAutomationId');
      const own = await sampleExport(context.api, { automation });
      if (isWithheld(own)) assumeSuccess(own);
      const foreign = await sampleExport(context.api, { automation, key: 'otherTenant' });
      if (!isWithheld(foreign)) {
        throw violation('no export', `status ${foreign.status}`, foreign);
      }
    },
  }),
  tenant.check({
    name: 'foreign-rename-without-effect',
    requirements: ['auth.tenant.isolation'],
    access: 'write',
    title: 'does not rename an expected file for a key of another tenant',
    run: (context) =>
      expectUnchanged(context, (dataset, key) => {
        const file = namedFile(dataset, 'expected');
        return renameExpected(dataset.sandbox, file, { newFilename: newNameFor(file) }, { key });
      }),
  }),
  tenant.check({
    name: 'foreign-delete-without-effect',
    requirements: ['auth.tenant.isolation'],
    access: 'delete',
    title: 'does not delete an input file for a key of another tenant',
    run: (context) =>
      expectUnchanged(context, (dataset, key) =>
        deleteInput(dataset.sandbox, namedFile(dataset, 'input'), { key }),
      ),
  }),
];

/** The same change succeeds with the owner's key afterwards. */
async function expectUnchanged(
  context: CheckContext,
  change: (dataset: Dataset, key: Key) => Promise<ApiResponse>,
): Promise<void> {
  const dataset = await openDataset(context);
  const foreign = await change(dataset, dataset.sandbox.otherTenantKey);
  const differences = differencesOf(dataset.before.files, (await dataset.read()).files);
  if (differences.length > 0) throw violation('an unchanged dataset', show(differences), foreign);
  assumeSuccess(await change(dataset, dataset.sandbox.key));
}
