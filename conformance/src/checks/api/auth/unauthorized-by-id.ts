import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { expectStatus } from '../../../check-kit/expect.ts';
import { experimentPath } from '../datasets/experiment.ts';
import { contentPath, filePath, isWithheld } from '../operations/files.ts';
import { usagePath } from '../runs/usage.ts';

const auth = area('api.auth', {
  access: 'read',
  needs: ['key.main', 'fixture.fileId', 'fixture.runId', 'fixture.experimentId'],
});

/** 401 without a key for what is read by its id. */
export const authByIdChecks: readonly Check[] = [
  auth.check({
    name: 'missing-key-by-id',
    requirements: ['auth.missing-key'],
    title: 'files, their content, run usage and experiments are answered with 401 without a key',
    async run(context) {
      const paths = [
        filePath(context.fixture('fileId')),
        contentPath(context.fixture('fileId')),
        usagePath(context.fixture('runId')),
        experimentPath(context.fixture('experimentId')),
      ];
      for (const path of paths) {
        if (isWithheld(await context.api.sample({ path }))) {
          throw new Inconclusive(`GET ${path} is not even answered with the key of the run`);
        }
        expectStatus(await context.api.sample({ path, key: null }), 401);
      }
    },
  }),
];
