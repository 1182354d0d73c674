import { area } from '../../../check-kit/area.ts';
import type { ApiRequest } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus } from '../../../check-kit/expect.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { experimentPath } from '../datasets/experiment.ts';
import { contentPath, filePath, isWithheld } from '../operations/files.ts';
import { AGENTS, INBOX, TEMPLATES } from '../operations/lists.ts';
import { usagePath } from '../runs/usage.ts';

const auth = area('api.auth', { access: 'read', needs: ['key.main'] });

const OPERATIONS = ['/v1/auth/check', INBOX.path, TEMPLATES.path];

/** An unknown key of usual length and characters, so that only the key itself is wrong. */
const UNKNOWN_KEY = { value: 'hookproof-conformance-unknown-key-0000' };

/** 401 for a request without a key or with an unknown one. */
export const authChecks: readonly Check[] = [
  ...unauthorized(
    'missing-key',
    ['auth.every-operation', 'inbox.errors', 'auth.header.bearer', 'status-code.401'],
    'a request without a key',
    { key: null },
  ),
  ...unauthorized('invalid-key', ['status-code.401'], 'a request with an unknown key', {
    key: UNKNOWN_KEY,
  }),
  auth.check({
    name: 'missing-key-by-id',
    requirements: ['auth.missing-key'],
    needs: ['key.main', 'fixture.fileId', 'fixture.runId', 'fixture.experimentId'],
    title:
      'refuses to show files, their content, run usage and experiments without a key, with 401',
    async run(context) {
      const paths = [
        filePath(context.fixture('fileId')),
        contentPath(context.fixture('fileId')),
        usagePath(context.fixture('runId')),
        experimentPath(context.fixture('experimentId')),
      ];
      for (const path of paths) {
        if (isWithheld(await context.api.sample({ path }))) {
          throw new Inconclusive(`Cannot judge: GET ${path} fails with the key of the run, too.`);
        }
        expectStatus(await context.api.sample({ path, key: null }), 401);
      }
    },
  }),
];

function unauthorized(
  name: 'missing-key' | 'invalid-key',
  others: readonly string[],
  what: string,
  difference: Pick<ApiRequest, 'key'>,
): Check[] {
  const title = (paths: readonly string[]): string =>
    `refuses ${what} with 401: ${paths.join(', ')}`;
  const run = async ({ api }: CheckContext, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      assumeSuccess(await api.sample({ path }));
      expectStatus(await api.sample({ path, ...difference }), 401);
    }
  };
  return [
    auth.check({
      name,
      requirements: [`auth.${name}`, ...others],
      title: title(OPERATIONS),
      run: (context) => run(context, OPERATIONS),
    }),
    auth.check({
      name: `${name}-app-address`,
      requirements: [`auth.${name}`],
      title: title([AGENTS.path]),
      needs: ['key.main', 'app'],
      run: (context) => run(context, [AGENTS.path]),
    }),
  ];
}
