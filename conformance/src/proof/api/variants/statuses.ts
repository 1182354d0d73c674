import type { Incoming } from '../../../http/message.ts';
import { headerValue, isRecord } from '../../../http/message.ts';
import { jsonOf, refuse, respond, withHeader } from '../../kit/message.ts';
import { bearerOf } from '../../knowledge.ts';
import type { Variant } from '../../kit/defect.ts';
import { isSuccess, onRequest, onResponse } from '../change.ts';
import type { Called } from '../change.ts';

/** The id of this platform, or an alias. */
const WELL_FORMED = /^([a-z]+_[0-9a-f]{20}|(workflows|agents)\.[a-z0-9-]+)$/;

/** Reads whose success the contract names: the inbox, and what may be redirected. */
const NAMED = new Set(['listDatasetReviewRequests', 'exportDataset', 'getFileContent']);

/** Statuses that the contract leaves open. */
export const statusVariants: readonly Variant[] = [
  ...[400, 422].map((status) =>
    response(`malformed-id-${status}`, 'status-code.404.malformed-id', (given, called) =>
      given.status === 404 && hasMalformedId(called) ? refuse(status) : given,
    ),
  ),
  ...[400, 401, 403, 409, 410].map((status) =>
    response(`foreign-${status}`, 'auth.foreign-resource', (given, { key, ring }) =>
      given.status === 404 && key !== undefined && key === ring?.['otherTenant']
        ? refuse(status, 'not_yours')
        : given,
    ),
  ),
  ...[201, 202, 203, 207, 299].map((status) =>
    response(`successes-are-${status}`, 'status-code.success', (given, { operation }) =>
      isSuccess(given) && given.status !== 204 && !NAMED.has(operation.operationId)
        ? { ...given, status }
        : given,
    ),
  ),
  ...Object.entries<() => Incoming>({
    'an-object-with-ok': () => respond(200, { ok: true }),
    'an-empty-object': () => respond(200, {}),
    nothing: () => ({ status: 200, headers: [['content-length', '0']], bytes: new Uint8Array() }),
    'a-text': () => ({
      status: 202,
      headers: [['content-type', 'text/plain']],
      bytes: Buffer.from('deleted'),
    }),
  }).map(([name, made]) =>
    response(`deletion-returns-${name}`, 'input-delete.response-body', (given, { operation }) =>
      operation.operationId === 'deleteInputFile' && isSuccess(given) ? made() : given,
    ),
  ),
  ...Object.entries<string | null>({ without: null, basic: 'Basic realm="api"' }).map(
    ([name, challenge]) =>
      response(`challenge-${name}`, 'auth.challenge', (given) =>
        given.status === 401 ? withHeader(given, 'www-authenticate', challenge) : given,
      ),
  ),
  {
    id: 'bearer-in-exact-spelling',
    side: 'api',
    does: 'Accepts only the exact spelling Bearer.',
    takes: 'auth.challenge',
    open: onRequest(({ request }) =>
      (headerValue(request.headers, 'authorization') ?? 'Bearer').startsWith('Bearer')
        ? request
        : refuse(401),
    ),
  },
  {
    id: 'body-before-key',
    side: 'api',
    does: 'Judges a body before the key.',
    takes: 'auth.precedence',
    open: onRequest(({ request, operation, key }) => {
      const isWrong = operation.requestBody !== undefined && !isRecord(jsonOf(request));
      return key === undefined && isWrong ? refuse(400) : request;
    }),
  },
  {
    id: 'id-before-key',
    side: 'api',
    does: 'Judges the form of an id before the key.',
    takes: 'auth.precedence',
    open: onRequest((called) =>
      bearerOf(called.request) === undefined && hasMalformedId(called)
        ? refuse(404)
        : called.request,
    ),
  },
  {
    id: 'parameters-before-key',
    side: 'api',
    does: 'Judges limit and offset before the key.',
    takes: 'auth.precedence',
    open: onRequest(({ request, ring }) => {
      const limit = new URL(request.url).searchParams.get('limit') ?? '1';
      return ring === undefined && !/^[1-9][0-9]?$|^100$/.test(limit) ? refuse(400) : request;
    }),
  },
  scopes(
    'auth-check-needs-wildcard',
    'checkAuth',
    ['reviewer', 'workflow', 'ocr'],
    ['api.auth-check.scope-reported', 'api.auth-check.wildcard-reported'],
  ),
  scopes('templates-need-wildcard', 'listTemplates', ['reviewer', 'workflow']),
  scopes('agents-need-wildcard', 'listAgents', ['reviewer', 'workflow']),
];

function response(
  id: string,
  takes: string,
  change: (given: Incoming, called: Called) => Incoming,
): Variant {
  return {
    id,
    side: 'api',
    does: `Responds in its own way: ${id}.`,
    takes,
    open: onResponse(change),
  };
}

function scopes(
  id: string,
  operationId: string,
  refused: readonly string[],
  silences: readonly string[] = [],
): Variant {
  return {
    id,
    side: 'api',
    does: `Refuses ${operationId} to keys of ${refused.join(', ')}.`,
    takes: 'scope.mapping',
    silences,
    open: onRequest(({ request, operation, key, ring }) =>
      operation.operationId === operationId &&
      key !== undefined &&
      refused.some((name) => ring?.[name] === key)
        ? refuse(403)
        : request,
    ),
  };
}

function hasMalformedId({ operation, request }: Called): boolean {
  const names = operation.path.split('/');
  const values = new URL(request.url).pathname.split('/');
  return names.some(
    (name, index) =>
      /^\{(?!path)/.test(name) && !WELL_FORMED.test(decodeURIComponent(values[index] ?? '')),
  );
}
