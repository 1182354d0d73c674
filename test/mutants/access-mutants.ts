import type { Mutant } from './mutant.ts';

const ROUTES = 'server-reference/dist/platform/routes';
const UNAUTHORIZED = [
  'api.auth.missing-key',
  'api.auth.missing-key-app-address',
  'api.auth.invalid-key',
  'api.auth.invalid-key-app-address',
];

/** Keys, scopes and tenants. */
export const accessMutants: readonly Mutant[] = [
  {
    id: 'auth-check-scope-as-text',
    defect: 'The auth check reports the scope as one string.',
    file: 'server-reference/dist/platform/routes/auth.js',
    find: 'scope: key.scope,',
    replace: "scope: key.scope.join(' '),",
    fails: ['api.auth-check.schema', 'api.auth-check.scope-reported'],
  },
  {
    id: 'auth-check-one-key',
    defect: 'The auth check reports the same key id for every key.',
    file: 'server-reference/dist/platform/routes/auth.js',
    find: 'keyId: key.id,',
    replace: "keyId: 'key',",
    fails: ['api.auth-check.identity'],
  },
  {
    id: 'auth-check-no-scope',
    defect: 'The auth check reports an empty scope.',
    file: 'server-reference/dist/platform/routes/auth.js',
    find: 'scope: key.scope,',
    replace: 'scope: [],',
    fails: ['api.auth-check.scope-reported'],
  },
  {
    id: 'auth-check-wildcard-for-all',
    defect: 'The auth check calls every key a wildcard key.',
    file: 'server-reference/dist/platform/routes/auth.js',
    find: 'wildcardGranted: key.wildcardGranted,',
    replace: 'wildcardGranted: true,',
    fails: ['api.auth-check.wildcard-reported'],
  },
  {
    id: 'auth-check-wildcard-for-none',
    defect: 'The auth check calls no key a wildcard key.',
    file: 'server-reference/dist/platform/routes/auth.js',
    find: 'wildcardGranted: key.wildcardGranted,',
    replace: 'wildcardGranted: false,',
    fails: ['api.auth-check.wildcard-reported'],
  },
  {
    id: 'missing-key-admitted',
    defect: 'A request without a key is accepted.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: "throw unauthorized('the request has no API key');",
    replace: 'return Object.values(store.state.apiKeys)[0];',
    fails: [
      'api.auth.missing-key',
      'api.auth.missing-key-app-address',
      'api.auth.missing-key-by-id',
      'api.envelope.unauthorized',
    ],
  },
  {
    id: 'unknown-key-admitted',
    defect: 'A request with an unknown key is accepted.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: "throw unauthorized('the API key is not valid');",
    replace: 'return Object.values(store.state.apiKeys)[0];',
    fails: ['api.auth.invalid-key', 'api.auth.invalid-key-app-address'],
  },
  {
    id: '403-for-401',
    defect: 'A missing or unknown key gets 403.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: 'new ApiError(401',
    replace: 'new ApiError(403',
    fails: [...UNAUTHORIZED, 'api.auth.missing-key-by-id', 'api.envelope.unauthorized'],
  },
  {
    id: '401-for-403',
    defect: 'A key without the scope gets 401.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: 'new ApiError(403',
    replace: 'new ApiError(401',
    fails: ['api.scope.inbox-refused', 'api.scope.ocr-kept-out', 'api.envelope.forbidden'],
  },
  {
    id: 'inbox-asks-for-workflow-read',
    defect: 'The dataset review list requires workflow:read instead of dataset_review:read.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: "listDatasetReviewRequests: 'dataset_review:read'",
    replace: "listDatasetReviewRequests: 'workflow:read'",
    fails: ['api.scope.inbox-reviewer', 'api.scope.inbox-refused'],
  },
  {
    id: 'ocr-key-reads-inbox',
    defect: 'A key restricted to OCR can call every operation.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: 'granted.includes(requirement) && !granted.includes(OCR_ONLY)',
    replace: 'granted.includes(requirement) || granted.includes(OCR_ONLY)',
    fails: ['api.scope.ocr-kept-out', 'api.envelope.forbidden'],
  },
  {
    id: 'wildcard-lacks-workflow-read',
    defect: 'A wildcard key lacks workflow:read.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: 'if (!wildcardGranted &&',
    replace: "if ((!wildcardGranted || requirement === 'workflow:read') &&",
    fails: ['api.scope.wildcard-admitted'],
  },
  ...(['reviewRequests', 'templates', 'agents'] as const).map(foreignEntriesListed),
  {
    id: 'foreign-automation-found',
    defect: 'An automation is found by its id by keys of every tenant.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: 'found === undefined || found.tenantId !== tenantId',
    replace: 'found === undefined',
    fails: [
      'api.tenant.foreign-review-refused',
      'api.tenant.foreign-automation-refused',
      'api.tenant.foreign-export-withheld',
      'api.tenant.foreign-rename-without-effect',
      'api.tenant.foreign-delete-without-effect',
    ],
  },
  {
    id: 'foreign-automation-forbidden',
    defect: 'The id of an automation of another tenant gets 403, which reveals that it exists.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: 'found === undefined || found.tenantId !== tenantId) {',
    replace:
      "found !== undefined && found.tenantId !== tenantId) {\n        throw Object.assign(notFound('id', 'not yours'), { status: 403 });\n    }\n    if (found === undefined) {",
    fails: ['api.tenant.foreign-review-refused', 'api.tenant.foreign-automation-refused'],
  },
];

/** Keeps worlds apart, because other checks would change the list while it is read. */
function foreignEntriesListed(collection: 'reviewRequests' | 'templates' | 'agents'): Mutant {
  const [list, file, ...fails] = {
    reviewRequests: ['list-review-requests', 'reviews', 'api.tenant.inbox-isolated'],
    templates: ['list-templates', 'templates', 'api.template.tenant-isolated'],
    agents: ['list-agents', 'agents', 'api.agent.tenant-isolated', 'api.agent.slug'],
  }[collection];
  const state = collection === 'reviewRequests' ? 'state' : 'store.state';
  const tenants = `${state}.tenants`;
  return {
    id: `foreign-${list}`,
    defect: `The list in ${file} holds the entries of every tenant.`,
    file: `${ROUTES}/${file}.js`,
    find: `find(${state}.listed.${collection}, key.tenantId) ?? []`,
    replace: `Object.entries(${state}.listed.${collection}).filter(([id]) => ${tenants}[id].worldId === ${tenants}[key.tenantId].worldId).flatMap(([, ids]) => ids)`,
    fails,
  };
}
