import { area } from '../../../check-kit/area.ts';
import type { ApiRequest } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus } from '../../../check-kit/expect.ts';
import { AGENTS, INBOX, TEMPLATES } from '../operations/lists.ts';

const auth = area('api.auth', { access: 'read', needs: ['key.main'] });

const OPERATIONS = ['/v1/auth/check', INBOX.path, TEMPLATES.path];

/** A key that nobody has: the right length and letters, so that only the key itself is wrong. */
const UNKNOWN_KEY = { value: 'hookproof-conformance-key-that-nobody-was-given-0000' };

/** 401 for a request without a key or with one that the service does not know. */
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
];

function unauthorized(
  name: 'missing-key' | 'invalid-key',
  others: readonly string[],
  what: string,
  difference: Pick<ApiRequest, 'key'>,
): Check[] {
  const title = (paths: readonly string[]): string =>
    `${what} is answered with 401: ${paths.join(', ')}`;
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
