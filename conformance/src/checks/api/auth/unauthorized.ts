import type { ApiRequest } from '../../../clients/api-client.ts';
import type { Check, Requirements } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus } from '../../../check-kit/expect.ts';
import { AGENTS, INBOX, TEMPLATES } from '../operations/lists.ts';

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
  const check = (
    id: string,
    requirements: Requirements,
    paths: readonly string[],
    needs: Check['needs'],
  ): Check => ({
    id,
    requirements,
    side: 'api',
    title: `${what} is answered with 401: ${paths.join(', ')}`,
    access: 'read',
    needs,
    async run({ api }) {
      for (const path of paths) {
        assumeSuccess(await api.sample({ path }));
        expectStatus(await api.sample({ path, ...difference }), 401);
      }
    },
  });
  return [
    check(`api.auth.${name}`, [`auth.${name}`, ...others], OPERATIONS, ['key.main']),
    check(`api.auth.${name}-app-address`, [`auth.${name}`], [AGENTS.path], ['key.main', 'app']),
  ];
}
