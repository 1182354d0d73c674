import { isRecord } from '../../http/message.ts';
import type { Incoming } from '../../http/message.ts';
import {
  editJson,
  jsonOf,
  refuse,
  respond,
  withHeader,
  withJson,
  withKey,
} from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { isSuccess, onResponse } from './change.ts';
import type { Called } from './change.ts';

/** What the auth check says wrongly, lists that mix tenants, and statuses of the deployment in another shape. */
export const identityDefects: readonly Defect[] = [
  identity('tenant-of-all', 'auth.key.tenant-and-user', (body) => (body['tenantId'] = 'tenant_1')),
  identity('key-id-of-all', 'auth-check.identity', (body) => (body['keyId'] = 'key_1')),
  identity('no-scopes', 'scope.reported', (body) => (body['scope'] = [])),
  identity(
    'everybody-wildcard',
    'scope.wildcard.reported',
    (body) => (body['wildcardGranted'] = true),
  ),
  identity('scope-as-text', 'auth-check.fields', (body) => (body['scope'] = 'all')),
  onlyFor('reviewer', 'inbox-refuses-reviewer', 'scope.inbox.reviewer', (response) =>
    isSuccess(response) ? refuse(403) : response,
  ),
  onlyFor('workflow', 'inbox-refuses-lacking-scope-with-404', 'scope.lacking', (response) =>
    response.status === 403 ? refuse(404) : response,
  ),
  {
    id: 'inbox-admits-lacking-scope',
    side: 'api',
    does: 'The inbox accepts a key without dataset_review:read.',
    breaks: 'scope.inbox.required',
    open: ({ operationOf, keyringOf }) => ({
      api: (request, next) => {
        const key = request.headers.find(([name]) => name === 'authorization')?.[1].slice(7);
        const ring = key === undefined ? undefined : keyringOf(key);
        const isConcerned =
          operationOf(request)?.operationId === 'listDatasetReviewRequests' &&
          key === ring?.['workflow'];
        const admitted = ring?.['wildcard'];
        return next(isConcerned && admitted !== undefined ? withKey(request, admitted) : request);
      },
    }),
  },
  ...Object.entries({
    inbox: ['listDatasetReviewRequests', 'data', 'auth.tenant.isolation'],
    templates: ['listTemplates', 'items', 'template.list.tenant'],
    agents: ['listAgents', 'data', 'agent.list.lists'],
  }).map(([name, [operationId, entries = '', breaks = '']]): Defect => ({
    id: `${name}-shows-other-tenant`,
    side: 'api',
    does: `${operationId} also lists entries of another tenant.`,
    breaks,
    open: ({ operationOf, keyringOf }) => ({
      api: async (request, next) => {
        const response = await next(request);
        const key = request.headers.find(([header]) => header === 'authorization')?.[1].slice(7);
        const other = key === undefined ? undefined : keyringOf(key)?.['otherTenant'];
        if (operationOf(request)?.operationId !== operationId || !isSuccess(response))
          return response;
        if (other === undefined || other === key) return response;
        const theirs = jsonOf(await next(withKey(request, other)));
        return withJson(response, joined(jsonOf(response), theirs, entries));
      },
    }),
  })),
  ...status(
    429,
    {
      'without-retry-after': (response) => withHeader(response, 'retry-after', null),
      'with-date-as-retry-after': (response) =>
        withHeader(response, 'retry-after', 'Fri, 31 Dec 2027 23:59:59 GMT'),
      'with-fraction-as-retry-after': (response) => withHeader(response, 'retry-after', '1.5'),
    },
    'status-code.429.retry-after',
  ),
  ...status(
    503,
    {
      'without-retry-after': (response) => withHeader(response, 'retry-after', null),
    },
    'status-code.503.retry-after',
  ),
  ...[413, 429, 500, 503].flatMap((code) =>
    status(
      code,
      {
        'as-page': (response) => ({
          status: response.status,
          headers: [
            ['content-type', 'text/html'],
            ['retry-after', '1'],
          ],
          bytes: Buffer.from('<h1>Sorry</h1>'),
        }),
        'with-extra-member': (response) =>
          editJson(response, (body) => (body['stack'] = 'at main (server.js:1:1)')),
        'with-another-request-id': (response) => withHeader(response, 'x-request-id', 'req_other'),
      },
      'envelope.every-error',
    ),
  ),
  ...status(
    413,
    { 'becomes-400': () => refuse(400), 'becomes-500': () => refuse(500) },
    'status-code.413',
  ),
  ...status(
    500,
    { 'becomes-400': () => refuse(400), 'becomes-502': () => respond(502) },
    'status-code.500',
  ),
  ...status(409, { 'becomes-400': () => refuse(400) }, 'status-code.409'),
];

function identity(name: string, breaks: string, edit: (body: Fields) => unknown): Defect {
  return {
    id: `auth-check-${name}`,
    side: 'api',
    does: `The auth check reports ${name.replaceAll('-', ' ')}.`,
    breaks,
    open: onResponse((response, { operation }) =>
      operation.operationId === 'checkAuth' && isSuccess(response)
        ? editJson(response, edit)
        : response,
    ),
  };
}

function onlyFor(
  key: string,
  id: string,
  breaks: string,
  change: (response: Incoming) => Incoming,
): Defect {
  return {
    id,
    side: 'api',
    does: `${id.replaceAll('-', ' ')}.`,
    breaks,
    open: onResponse((response, called: Called) =>
      called.operation.operationId === 'listDatasetReviewRequests' &&
      called.key !== undefined &&
      called.key === called.ring?.[key]
        ? change(response)
        : response,
    ),
  };
}

function status(
  code: number,
  kinds: Readonly<Record<string, (response: Incoming) => Incoming>>,
  breaks: string,
): Defect[] {
  return Object.entries(kinds).map(([name, change]) => ({
    id: `status-${code}-${name}`,
    side: 'api',
    does: `A response with ${code} ${name.replaceAll('-', ' ')}.`,
    breaks,
    open: onResponse((response) => (response.status === code ? change(response) : response)),
  }));
}

function joined(mine: unknown, theirs: unknown, entries: string): unknown {
  const own = isRecord(mine) ? mine[entries] : undefined;
  const other = isRecord(theirs) ? theirs[entries] : undefined;
  if (!isRecord(mine) || !Array.isArray(own) || !Array.isArray(other)) return mine;
  return { ...mine, [entries]: [...own, ...other] };
}
