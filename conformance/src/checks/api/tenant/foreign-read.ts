import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { violation } from '../../../check-kit/expect.ts';
import { experimentPath } from '../datasets/experiment.ts';
import { contentPath, filePath, isWithheld } from '../operations/files.ts';
import { usagePath } from '../runs/usage.ts';

/** What is read by its id is not shown to a key of another tenant. */
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
    title: `${what} of another tenant is not shown`,
    async run(context) {
      const { api } = context;
      const path = pathOf(context.fixture(foreign));
      const controls = [
        await api.sample({ path: pathOf(context.fixture(own)) }),
        await api.sample({ path, key: 'otherTenant' }),
      ];
      if (controls.some(isWithheld)) {
        throw new Inconclusive(`not even its own tenant is shown ${what}`);
      }
      const response = await api.sample({ path });
      if (!isWithheld(response)) {
        throw violation('no answer with it', `status ${response.status}`, response);
      }
    },
  });
}
