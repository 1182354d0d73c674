import { headerValue } from '@hookproof/conformance/hooks';
import type { Incoming, Outgoing } from '@hookproof/conformance/hooks';

import {
  editResponse,
  fieldsOf,
  isSuccess,
  onCall,
  onRequest,
  onResponse,
  query,
  recordsIn,
  textOf,
} from '../kit/api.ts';
import type { Call } from '../kit/api.ts';
import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, respond, withHeader, withJson, withKey } from '../kit/message.ts';

const AUTH_CHECK = 'checkAuth';
const INBOX = 'listDatasetReviewRequests';
const RETRY_AFTER_429 = 'status-code.429.retry-after';

/** What the auth check says wrongly, and lists that mix tenants. */
const callerDefects: readonly Defect[] = [
  defect({
    id: 'auth-check-tenant-of-all',
    breaks: 'auth.key.tenant-and-user',
    does: 'The auth check reports the same tenant for every key.',
    api: editResponse(AUTH_CHECK, (body) => (body['tenantId'] = 'tenant_1')),
  }),
  defect({
    id: 'auth-check-tenant-of-each-key',
    breaks: 'auth.key.tenant-and-user',
    does: 'The auth check reports another tenant for every key.',
    api: editResponse(
      AUTH_CHECK,
      (body) => (body['tenantId'] = `tenant_of_${textOf(body['keyId'])}`),
    ),
  }),
  defect({
    id: 'auth-check-key-id-of-all',
    breaks: 'auth-check.identity',
    does: 'The auth check reports the same key id for every key.',
    api: editResponse(AUTH_CHECK, (body) => (body['keyId'] = 'key_1')),
  }),
  defect({
    id: 'auth-check-without-scopes',
    breaks: 'scope.reported',
    does: 'The auth check reports no scopes.',
    api: editResponse(AUTH_CHECK, (body) => (body['scope'] = [])),
  }),
  defect({
    id: 'auth-check-everybody-wildcard',
    breaks: 'scope.wildcard.reported',
    does: 'The auth check reports a wildcard for every key.',
    api: editResponse(AUTH_CHECK, (body) => (body['wildcardGranted'] = true)),
  }),
  defect({
    id: 'auth-check-scope-as-string',
    breaks: 'auth-check.fields',
    does: 'The auth check reports the scopes as a string.',
    api: editResponse(AUTH_CHECK, (body) => (body['scope'] = 'all')),
  }),
  defect({
    id: 'inbox-refuses-reviewer',
    breaks: 'scope.inbox.reviewer',
    does: 'The inbox refuses a key of a reviewer.',
    api: onResponse(INBOX, (response, call) =>
      isKey(call, 'reviewer') && isSuccess(response) ? refuse(403) : response,
    ),
  }),
  defect({
    id: 'inbox-refuses-lacking-scope-with-404',
    breaks: 'scope.lacking',
    does: 'The inbox responds 404 to a key without dataset_review:read.',
    api: onResponse(INBOX, (response, call) =>
      isKey(call, 'workflow') && response.status === 403 ? refuse(404) : response,
    ),
  }),
  defect({
    id: 'inbox-admits-lacking-scope',
    breaks: 'scope.inbox.required',
    does: 'The inbox accepts a key without dataset_review:read.',
    api: onRequest(INBOX, (request, call) => {
      const wildcard = call.ring?.['wildcard'];
      return isKey(call, 'workflow') && wildcard !== undefined
        ? withKey(request, wildcard)
        : request;
    }),
  }),
  defect({
    id: 'inbox-shows-other-tenant',
    breaks: 'auth.tenant.isolation',
    does: 'The inbox also lists requests of another tenant.',
    api: withOtherTenant(INBOX, 'data'),
  }),
  defect({
    id: 'inbox-filter-shows-other-tenant',
    breaks: 'auth.tenant.isolation',
    does: 'The inbox with a status filter also lists requests of another tenant.',
    api: withOtherTenant(INBOX, 'data', ({ request: { url } }) => query(url, 'status') !== null),
  }),
  defect({
    id: 'templates-shows-other-tenant',
    breaks: 'template.list.tenant',
    does: 'The templates list also has templates of another tenant.',
    api: withOtherTenant('listTemplates', 'items'),
  }),
  defect({
    id: 'agents-shows-other-tenant',
    breaks: 'agent.list.lists',
    does: 'The agents list also has agents of another tenant.',
    api: withOtherTenant('listAgents', 'data'),
  }),
  defect({
    id: 'review-of-other-tenant-below-an-own-automation',
    breaks: 'auth.tenant.isolation',
    does: 'A review request of another tenant can be updated below an own automation.',
    api: withOtherTenantBelow('updateDatasetReviewRequest', 'otherTenantReviewId', (theirs) =>
      respond(200, { id: theirs }),
    ),
  }),
  defect({
    id: 'rename-in-example-of-other-tenant-below-an-own-automation',
    breaks: 'auth.tenant.isolation',
    does: 'An expected file in an example of another tenant can be renamed below an own automation.',
    api: withOtherTenantBelow('renameExpectedFile', 'otherTenantExampleId', (_, request) => {
      const { newFilename: name } = fieldsOf(request);
      return respond(200, { ok: true, filename: name, path: name });
    }),
  }),
  defect({
    id: 'delete-in-example-of-other-tenant-below-an-own-automation',
    breaks: 'auth.tenant.isolation',
    does: 'An input file in an example of another tenant can be deleted below an own automation.',
    api: withOtherTenantBelow('deleteInputFile', 'otherTenantExampleId', () => respond(204)),
  }),
  defect({
    id: 'agents-slug-shows-other-tenant',
    breaks: 'auth.tenant.isolation',
    does: 'A slug is looked up among the agents of every tenant.',
    api: withOtherTenant(
      'listAgents',
      'data',
      ({ request: { url } }) => query(url, 'slug') !== null,
    ),
  }),
  defect({
    id: 'folder-of-other-tenant',
    breaks: 'auth.tenant.isolation',
    does: 'A move finds folders of every tenant.',
    api: onCall('moveAutomation', async ({ request, next, key, ring, memory }) => {
      const folderId = textOf(fieldsOf(request)['folderId']);
      if (key !== ring?.['otherTenant'] && memory.has(folderId)) {
        const moved = await next(withJson(request, { folderId: null }));
        return withJson(moved, { ...fieldsOf(moved), folderId });
      }
      const response = await next(request);
      const theirs = textOf(fieldsOf(response)['folderId']);
      if (key === ring?.['otherTenant'] && theirs !== '') memory.set(theirs, true);
      return response;
    }),
  }),
  defect({
    id: 'export-of-example-of-other-tenant',
    breaks: 'auth.tenant.isolation',
    does: 'An export finds the examples of every tenant.',
    api: onCall('exportDataset', ({ request, next, key, ring, knowledge }) => {
      const other = ring?.['otherTenant'];
      const example = knowledge.fixtureOf(key, 'otherTenantExampleId');
      const theirs = knowledge.fixtureOf(key, 'otherTenantAutomationId');
      const isTheirs = example !== undefined && new URL(request.url).search.includes(example);
      if (!isTheirs || other === undefined || theirs === undefined) return next(request);
      const url = request.url.replace(/automations\/[^/]+/, `automations/${theirs}`);
      return next(withKey({ ...request, url }, other));
    }),
  }),
  defect({
    id: 'archived-agents-of-other-tenant',
    breaks: 'agent.list.lists',
    does: 'With includeArchived, the agents list also has agents of another tenant.',
    api: withOtherTenant(
      'listAgents',
      'data',
      ({ request: { url } }) => query(url, 'includeArchived') === 'true',
    ),
  }),
];

/** Statuses of the deployment in another shape. */
const statusDefects: readonly Defect[] = [
  defect({
    id: 'status-429-without-retry-after',
    breaks: RETRY_AFTER_429,
    does: 'A 429 response has no Retry-After.',
    api: onStatus([429], (response) => withHeader(response, 'retry-after', null)),
  }),
  ...([429, 503] as const).map((status) =>
    defect({
      id: `status-${status}-in-passing-without-retry-after`,
      breaks: `status-code.${status}.retry-after`,
      does: `A busy API responds ${status} without Retry-After to every fifth request.`,
      api: inPassing(() => withHeader(refuse(status, 'busy'), 'retry-after', null)),
    }),
  ),
  defect({
    id: 'status-503-in-passing-without-request-id',
    breaks: 'envelope.every-error',
    does: 'A busy API responds 503 with issues and without requestId to every fifth request.',
    api: inPassing(() => respond(503, { issues: [] }, [['retry-after', '0']])),
  }),
  defect({
    id: 'status-429-in-passing-as-a-page',
    breaks: 'envelope.every-error',
    does: 'A gateway with a rate limit responds 429 with a page to every fifth request.',
    api: inPassing(() => ({
      status: 429,
      headers: [
        ['content-type', 'text/html'],
        ['retry-after', '1'],
      ],
      bytes: Buffer.from('<h1>429</h1>'),
    })),
  }),
  defect({
    id: 'status-503-of-a-write-without-retry-after',
    breaks: 'status-code.503.retry-after',
    does: 'A 503 response to a write has no Retry-After.',
    api: onResponse('every', (response, { operation }) =>
      response.status === 503 && operation.method !== 'GET'
        ? withHeader(response, 'retry-after', null)
        : response,
    ),
  }),
  defect({
    id: 'status-429-with-retry-after-too-short',
    breaks: 'status-code.429.retry-after.suffices',
    does: 'Retry-After of a 429 is always 1, whatever is left of the window.',
    api: onStatus([429], (response) => withHeader(response, 'retry-after', '1')),
  }),
  defect({
    id: 'status-429-with-retry-after-one-second-short',
    breaks: 'status-code.429.retry-after.suffices',
    does: 'Retry-After of a 429 is one second less than what is left of the window.',
    api: onStatus([429], (response) => {
      const seconds = Number(headerValue(response.headers, 'retry-after'));
      return withHeader(response, 'retry-after', String(seconds - 1));
    }),
  }),
  defect({
    id: 'status-429-with-date-as-retry-after',
    breaks: RETRY_AFTER_429,
    does: 'A 429 response has a date as Retry-After.',
    api: onStatus([429], (response) =>
      withHeader(response, 'retry-after', 'Fri, 31 Dec 2027 23:59:59 GMT'),
    ),
  }),
  defect({
    id: 'status-503-without-retry-after',
    breaks: 'status-code.503.retry-after',
    does: 'A 503 response has no Retry-After.',
    api: onStatus([503], (response) => withHeader(response, 'retry-after', null)),
  }),
  defect({
    id: 'overload-as-pages',
    breaks: 'envelope.every-error',
    does: '413, 429, 500 and 503 responses are HTML pages.',
    api: onStatus([413, 429, 500, 503], ({ status }) => ({
      status,
      headers: [
        ['content-type', 'text/html'],
        ['retry-after', '1'],
      ],
      bytes: Buffer.from('<h1>Sorry</h1>'),
    })),
  }),
  defect({
    id: 'status-413-with-another-request-id',
    breaks: 'envelope.every-error',
    does: 'A 413 response has a different request id.',
    api: onStatus([413], (response) => withHeader(response, 'x-request-id', 'req_other')),
  }),
  defect({
    id: 'status-413-becomes-400',
    breaks: 'status-code.413',
    does: 'A body above the limit gets 400.',
    api: onStatus([413], () => refuse(400)),
  }),
  defect({
    id: 'status-500-becomes-400',
    breaks: 'status-code.500',
    does: 'An internal error gets 400.',
    api: onStatus([500], () => refuse(400)),
  }),
  defect({
    id: 'status-409-becomes-400',
    breaks: 'status-code.409',
    does: 'A conflict gets 400.',
    api: onStatus([409], () => refuse(400)),
  }),
];

/** Callers and statuses. */
export const identityDefects: readonly Defect[] = [...callerDefects, ...statusDefects];

function isKey({ key, ring }: Call, name: string): boolean {
  return key !== undefined && key === ring?.[name];
}

function onStatus(statuses: readonly number[], change: (response: Incoming) => Incoming): Open {
  return onResponse('every', (response) =>
    statuses.includes(response.status) ? change(response) : response,
  );
}

/** Responds to every fifth request in place of the API. */
function inPassing(respondTo: () => Incoming): Open {
  return perRun(() => {
    let count = 0;
    return onRequest('every', (request) => ((count += 1) % 5 === 0 ? respondTo() : request));
  });
}

/** A list with the entries of the other tenant at its end. */
function withOtherTenant(
  operation: string,
  entries: string,
  isMixed: (call: Call) => boolean = () => true,
): Open {
  return onCall(operation, async (call) => {
    const { request, next, key, ring } = call;
    const response = await next(request);
    const other = ring?.['otherTenant'];
    if (!isMixed(call) || !isSuccess(response) || other === undefined || other === key)
      return response;
    const mine = fieldsOf(response);
    const theirs = fieldsOf(await next(withKey(request, other)));
    return withJson(response, {
      ...mine,
      [entries]: [...recordsIn(mine[entries]), ...recordsIn(theirs[entries])],
    });
  });
}

/** Finds a part of an automation of the other tenant below every automation. */
function withOtherTenantBelow(
  operation: string,
  part: string,
  made: (theirs: string, request: Outgoing) => Incoming,
): Open {
  return onResponse(operation, (response, { request, key, knowledge }) => {
    const theirs = knowledge.fixtureOf(key, part);
    const isTheirs =
      theirs !== undefined &&
      new URL(request.url).pathname.split('/').includes(encodeURIComponent(theirs));
    return isTheirs && response.status === 404 ? made(theirs, request) : response;
  });
}
