import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { KeyName } from '../../../options/facts.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { assumeSuccess, expectEqual, show, violation } from '../../../check-kit/expect.ts';
import { membersOf } from '../../../http/message.ts';
import { isCounted } from '../operations/id-forms.ts';

const authCheck = area('api.auth-check', { access: 'read', needs: ['key.main'] });

const PATH = '/v1/auth/check';

/** What a key can read about itself: GET /v1/auth/check. */
export const authCheckChecks: readonly Check[] = [
  authCheck.check({
    name: 'identity',
    requirements: ['auth-check.identity', 'auth.key.tenant-and-user'],
    title:
      'different tenants see different tenantId and keyId, and the keys of one tenant its tenantId',
    needs: ['key.main', 'key.otherTenant'],
    async run(context) {
      const mine = await identity(context, 'main');
      const theirs = await identity(context, 'otherTenant');
      for (const member of ['tenantId', 'keyId']) {
        const own = mine.fields[member];
        if (own !== theirs.fields[member]) continue;
        // Each tenant may count its keys.
        if (member === 'keyId' && typeof own === 'string' && isCounted(own)) continue;
        const expected = `a ${member} that differs from that of another tenant's key`;
        throw violation(expected, show(own), mine.response);
      }
      await expectTenantOfWorld(context);
    },
  }),
  authCheck.check({
    name: 'scope-reported',
    requirements: ['scope.reported'],
    title: "reports the scope dataset_review:read for a reviewer's key",
    needs: ['key.reviewer'],
    async run(context) {
      const { fields, response } = await identity(context, 'reviewer');
      const { scope } = fields;
      if (!Array.isArray(scope) || !scope.includes('dataset_review:read')) {
        throw violation('a scope with dataset_review:read', show(scope), response);
      }
    },
  }),
  authCheck.check({
    name: 'wildcard-reported',
    requirements: ['scope.wildcard.reported'],
    title: "reports wildcardGranted false for a reviewer's key and true for a wildcard key",
    needs: ['key.main', 'key.reviewer'],
    async run(context) {
      const limited = await identity(context, 'reviewer');
      if (limited.fields['wildcardGranted'] !== false) {
        throw violation('false', show(limited.fields['wildcardGranted']), limited.response);
      }
      const key = await wildcardKey(context);
      if (key === null) return;
      const wildcard = await identity(context, key);
      if (wildcard.fields['wildcardGranted'] !== true) {
        throw violation('true', show(wildcard.fields['wildcardGranted']), wildcard.response);
      }
    },
  }),
];

/** Only a control interface says which keys belong to one tenant. Each of them has an id of its own. */
async function expectTenantOfWorld(context: CheckContext): Promise<void> {
  const world = await controlOrNull(context)?.getWorld();
  if (world === undefined) return;
  const keyIds = new Set<unknown>();
  for (const name of ['wildcard', 'reviewer', 'ocr', 'workflow'] as const) {
    const response = await context.api.sample({ path: PATH, key: { value: world.keys[name] } });
    // The contract does not state the scope of the operation.
    if (response.status === 403) continue;
    assumeSuccess(response);
    const { tenantId, keyId } = membersOf(response.json);
    expectEqual(`tenantId of the ${name} key`, tenantId, world.tenantId, response);
    if (keyIds.has(keyId)) {
      throw violation(`another keyId for the ${name} key`, show(keyId), response);
    }
    keyIds.add(keyId);
  }
}

/** Only a control interface identifies a wildcard key; null without one. */
async function wildcardKey(context: CheckContext): Promise<{ readonly value: string } | null> {
  const world = await controlOrNull(context)?.getWorld();
  return world === undefined ? null : { value: world.keys.wildcard };
}

async function identity(
  { api }: CheckContext,
  key: KeyName | { readonly value: string },
): Promise<{ fields: Readonly<Record<string, unknown>>; response: ApiResponse }> {
  const response = await api.sample({ path: PATH, key });
  // The contract does not state the scope of the operation.
  if (response.status === 403) throw new NotApplicable('the key may not read its own identity');
  assumeSuccess(response);
  return { fields: membersOf(response.json), response };
}
