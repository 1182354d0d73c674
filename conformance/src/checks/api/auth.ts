import type { ApiRequest } from '../../api-client.ts';
import type { Check } from '../../check.ts';
import { expectControlPasses, expectStatus } from '../expect.ts';
import { AGENTS, INBOX, TEMPLATES } from './list.ts';

const OPERATIONS = ['/v1/auth/check', INBOX.path, TEMPLATES.path];

/** A key that nobody has: the right length and letters, so that only the key itself is wrong. */
const UNKNOWN_KEY = { value: 'hookproof-conformance-key-that-nobody-was-given-0000' };

/** 401 for a request without a key or with one that the service does not know. */
export const authChecks: readonly Check[] = [
  ...unauthorized('missing-key', 'a request without a key', { key: null }),
  ...unauthorized('invalid-key', 'a request with an unknown key', { key: UNKNOWN_KEY }),
];

function unauthorized(
  name: 'missing-key' | 'invalid-key',
  what: string,
  difference: Pick<ApiRequest, 'key'>,
): Check[] {
  const check = (id: string, paths: readonly string[], needs: Check['needs']): Check => ({
    id,
    requirement: `auth.${name}`,
    side: 'api',
    title: `${what} is answered with 401: ${paths.join(', ')}`,
    effect: 'read',
    needs,
    async run({ api }) {
      for (const path of paths) {
        expectControlPasses(await api.sample({ path }));
        expectStatus(await api.sample({ path, ...difference }), 401);
      }
    },
  });
  return [
    check(`api.auth.${name}`, OPERATIONS, ['key.main']),
    check(`api.auth.${name}-app-address`, [AGENTS.path], ['key.main', 'app']),
  ];
}
