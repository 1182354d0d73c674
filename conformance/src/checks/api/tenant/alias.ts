import { posix } from 'node:path';

import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectRefusal, violation } from '../../../check-kit/expect.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { archivePathOf } from '../operations/dataset-files.ts';
import { namedFile, openDataset, RENAME_NEEDS, renameExpected } from '../operations/datasets.ts';
import { readExport, requestExport } from '../operations/export.ts';
import { isGranted } from '../operations/requests.ts';

/** What two tenants cannot have both: two datasets may have the same files, and two automations the same slug. */
export const tenantAliasChecks: readonly Check[] = [
  area('api.tenant', {
    access: 'write',
    exclusive: 'without-worlds',
    needs: [...RENAME_NEEDS, 'key.otherTenant', 'fixture.datasetAutomationSlug'],
  }).check({
    name: 'export-by-alias',
    requirements: ['auth.tenant.isolation', 'export.alias'],
    title: 'an export by alias with a key of another tenant has no file of this tenant',
    async run(context) {
      const dataset = await openDataset(context);
      const { api } = dataset.sandbox;
      const file = namedFile(dataset, 'expected');
      const newFilename = `of-this-tenant-only${posix.extname(file.path)}`;
      assumeSuccess(await renameExpected(dataset.sandbox, file, { newFilename }));
      const path = posix.join(posix.dirname(file.path), newFilename);
      const own = archivePathOf(file.example, 'expected', path);
      if (!(await dataset.read()).files.has(own)) {
        throw new Inconclusive(`Cannot judge: the export has no ${own} after a rename to it.`);
      }
      const automation = `workflows.${dataset.sandbox.fixture('datasetAutomationSlug')}`;
      const response = await requestExport(api, { automation, key: 'otherTenant' });
      // Another tenant may have an automation with the same slug.
      if (!isGranted(response)) return expectRefusal(response);
      const { files } = await readExport(api, response);
      if (files.has(own))
        throw violation(`no ${own} of this tenant`, 'the export has it', response);
    },
  }),
];
