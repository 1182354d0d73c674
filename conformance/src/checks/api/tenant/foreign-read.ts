import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { violation } from '../../../check-kit/expect.ts';
import { experimentPath } from '../datasets/experiment.ts';
import { contentPath, filePath, isWithheld } from '../operations/files.ts';
import { usagePath } from '../runs/usage.ts';

/** Reads by id fail for a key of another tenant. */
export const foreignReadChecks: readonly Check[] = [
  withheld('file', 'the metadata of a file', ['fileId', 'otherTenantFileId'], filePath),
  withheld('content', 'the content of a file', ['fileId', 'otherTenantFileId'], contentPath),
  withheld('usage', 'the usage of a run', ['runId', 'otherTenantRunId'], usagePath),
  withheld(
    'experiment',
    'an experiment',
    ['experimentId', 'otherTenantExperimentId'],
    experimentPath,
  ),
];

function withheld(
  name: string,
  what: string,
  [own, foreign]: readonly [FixtureName, FixtureName],
  pathOf: (id: string) => string,
): Check {
  return area('api.tenant', {
    access: 'read',
    needs: ['key.main', 'key.otherTenant', `fixture.${own}`, `fixture.${foreign}`],
  }).check({
    name: `foreign-${name}-withheld`,
    requirements: ['auth.tenant.isolation'],
    title: `hides ${what} of another tenant`,
    async run(context) {
      const { api } = context;
      const path = pathOf(context.fixture(foreign));
      const ownReads = [
        await api.sample({ path: pathOf(context.fixture(own)) }),
        await api.sample({ path, key: 'otherTenant' }),
      ];
      if (ownReads.some(isWithheld)) {
        throw new Inconclusive(`Cannot judge: its own tenant cannot read ${what}.`);
      }
      const response = await api.sample({ path });
      if (!isWithheld(response)) {
        throw violation('neither content nor a redirect', `status ${response.status}`, response);
      }
    },
  });
}
