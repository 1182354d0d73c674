import { headerValue, isRecord } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';
import { isSuccess, onRequest, onResponse } from '@hookproof/conformance/proof/kit/api';
import type { Call } from '@hookproof/conformance/proof/kit/api';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import {
  jsonOf,
  refuse,
  respond,
  withHeader,
  withKey,
} from '@hookproof/conformance/proof/kit/message';

const PRECEDENCE = 'auth.precedence';
const MAPPING = 'scope.mapping';

/** The id of this platform, or an alias. */
const WELL_FORMED = /^([a-z]+_[0-9a-f]{20}|(workflows|agents)\.[a-z0-9-]+)$/;

/** Reads whose success the contract names: the inbox, and what may be redirected. */
const NAMED = new Set(['listDatasetReviewRequests', 'exportDataset', 'getFileContent']);

/** Statuses that the contract leaves open. */
export const statusVariants: readonly Variant[] = [
  ...[400, 422].map((status) =>
    variant({
      id: `malformed-id-${status}`,
      takes: 'status-code.404.malformed-id',
      does: `A malformed id gets ${status}.`,
      api: onResponse('every', (response, call) =>
        response.status === 404 && hasMalformedId(call) ? refuse(status) : response,
      ),
    }),
  ),
  ...[400, 401, 403, 409, 410].map((status) =>
    variant({
      id: `foreign-${status}`,
      takes: 'auth.foreign-resource',
      does: `What belongs to another tenant gets ${status}.`,
      api: onResponse('every', (response, { key, ring }) =>
        response.status === 404 && key !== undefined && key === ring?.['otherTenant']
          ? refuse(status, 'not_yours')
          : response,
      ),
    }),
  ),
  ...[201, 202, 203, 207, 299].map((status) =>
    variant({
      id: `successes-are-${status}`,
      takes: 'status-code.success',
      does: `Every success that the contract does not name is ${status}.`,
      api: onResponse('every', (response, { operationId }) =>
        isSuccess(response) && response.status !== 204 && !NAMED.has(operationId)
          ? { ...response, status }
          : response,
      ),
    }),
  ),
  ...variantsOf({
    takes: 'input-delete.response-body',
    api: (deleted: Incoming) =>
      onResponse('deleteInputFile', (response) => (isSuccess(response) ? deleted : response)),
    rows: {
      'deletion-returns-an-object-with-ok': [
        'A deletion gets 200 with an object that has ok.',
        respond(200, { ok: true }),
      ],
      'deletion-returns-an-empty-object': [
        'A deletion gets 200 with an empty object.',
        respond(200, {}),
      ],
      'deletion-returns-nothing': [
        'A deletion gets 200 without a body.',
        respond(200, undefined, [['content-length', '0']]),
      ],
      'deletion-returns-a-text': [
        'A deletion gets 202 with a text.',
        {
          status: 202,
          headers: [['content-type', 'text/plain']],
          bytes: Buffer.from('deleted'),
        },
      ],
    },
  }),
  ...variantsOf({
    takes: 'auth.challenge',
    api: (challenge: string | null) =>
      onResponse('every', (response) =>
        response.status === 401 ? withHeader(response, 'www-authenticate', challenge) : response,
      ),
    rows: {
      'challenge-without': ['A 401 response has no WWW-Authenticate.', null],
      'challenge-basic': ['A 401 response asks for basic authentication.', 'Basic realm="api"'],
    },
  }),
  variant({
    id: 'bearer-in-exact-spelling',
    takes: 'auth.challenge',
    does: 'Only the exact spelling Bearer is accepted.',
    api: onRequest('every', (request) =>
      (headerValue(request.headers, 'authorization') ?? 'Bearer').startsWith('Bearer')
        ? request
        : refuse(401),
    ),
  }),
  variant({
    id: 'keys-without-case',
    takes: 'auth.key.letter-case',
    does: 'The letter case of a key does not matter.',
    api: onRequest('every', (request, { key, knowledge }) => {
      const known = knowledge.keys.find((one) => one.toLowerCase() === key?.toLowerCase());
      return known === undefined ? request : withKey(request, known);
    }),
  }),
  variant({
    id: 'missing-body-411',
    takes: 'status-code.others',
    at: 'missing body',
    does: 'A missing body gets 411.',
    api: onResponse('every', (response, { request }) =>
      response.status === 400 && request.body?.byteLength === 0 ? refuse(411) : response,
    ),
  }),
  variant({
    id: 'body-before-key',
    takes: PRECEDENCE,
    does: 'A body is validated before the key.',
    api: onRequest('every', (request, { operation, key }) => {
      const isWrong = operation.requestBody !== undefined && !isRecord(jsonOf(request));
      return key === undefined && isWrong ? refuse(400) : request;
    }),
  }),
  variant({
    id: 'id-before-key',
    takes: PRECEDENCE,
    does: 'The form of an id is validated before the key.',
    api: onRequest('every', (request, call) =>
      call.key === undefined && hasMalformedId(call) ? refuse(404) : request,
    ),
  }),
  variant({
    id: 'parameters-before-key',
    takes: PRECEDENCE,
    does: 'limit and offset are validated before the key.',
    api: onRequest('every', (request, { ring }) => {
      const limit = new URL(request.url).searchParams.get('limit') ?? '1';
      return ring === undefined && !/^[1-9][0-9]?$|^100$/.test(limit) ? refuse(400) : request;
    }),
  }),
  variant({
    id: 'ocr-key-calls-what-an-ocr-client-needs',
    takes: MAPPING,
    does: 'A key with only ocr:full may read files, usage, templates, runs and experiments, and complete uploads.',
    api: onRequest(
      [
        'getFile',
        'getFileContent',
        'completeFileUpload',
        'getRunUsage',
        'listTemplates',
        'getRunApp',
        'getExperiment',
      ],
      (request, { key, ring }) =>
        key !== undefined && ring?.['ocr'] === key && ring['wildcard'] !== undefined
          ? withKey(request, ring['wildcard'])
          : request,
    ),
  }),
  variant({
    id: 'auth-check-needs-wildcard',
    takes: MAPPING,
    does: 'The auth check refuses keys without the wildcard.',
    silences: ['api.auth-check.scope-reported', 'api.auth-check.wildcard-reported'],
    api: refusingKeys('checkAuth', ['reviewer', 'workflow', 'ocr']),
  }),
];

function refusingKeys(operation: string, names: readonly string[]): Open {
  return onRequest(operation, (request, { key, ring }) =>
    key !== undefined && names.some((name) => ring?.[name] === key) ? refuse(403) : request,
  );
}

function hasMalformedId({ operation, request }: Call): boolean {
  const names = operation.path.split('/');
  const values = new URL(request.url).pathname.split('/');
  return names.some(
    (name, index) =>
      /^\{(?!path)/.test(name) && !WELL_FORMED.test(decodeURIComponent(values[index] ?? '')),
  );
}
