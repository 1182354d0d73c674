import type { Middleware } from 'koa';

import type { Clock } from '../clock/clock.ts';
import { ApiError, issue, ROOT } from '../http/api-error.ts';
import type { RequestState } from '../http/request.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ApiKeyRecord } from '../state/tenants.ts';
import { find } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** What is known once the key is. */
export interface AuthenticatedState extends RequestState {
  /** The calling key; it stands for a tenant and a user. */
  key: DeepReadonly<ApiKeyRecord>;
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Finds the API key of the request; without a valid one, 401. A revoked key is like an unknown one. */
export function authenticate(store: Store, clock: Clock): Middleware<AuthenticatedState> {
  return async function authentication(ctx, next) {
    ctx.state.key = findKey(store, clock, ctx.req.headersDistinct['authorization'] ?? []);
    await next();
  };
}

function findKey(
  store: Store,
  clock: Clock,
  headers: readonly string[],
): DeepReadonly<ApiKeyRecord> {
  const [header] = headers;
  if (header === undefined) throw unauthorized('no API key came with the request');
  if (headers.length > 1)
    throw unauthorized('more than one Authorization header came with the request');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined)
    throw unauthorized('the Authorization header is not of the form Bearer <API_KEY>');
  const key = find(store.state.apiKeys, token);
  if (key === undefined || isRevoked(key, clock)) throw unauthorized('the API key is not valid');
  return key;
}

function isRevoked({ revokedAt }: DeepReadonly<ApiKeyRecord>, clock: Clock): boolean {
  return revokedAt !== null && Date.parse(revokedAt) <= clock.now();
}

function unauthorized(message: string): ApiError {
  return new ApiError(401, [issue('unauthorized', ROOT, message)], {
    hint: 'Send the header Authorization: Bearer <API_KEY>, once.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** What a key can be good for, by name. `ocr:full` is asked for by no operation that is here. */
export const SCOPES = [
  'dataset_review:read',
  'dataset_review:write',
  'workflow:read',
  'workflow:write',
  'run:write',
  'run_review:write',
  'file:read',
  'file:write',
  'ocr:full',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** Restricts a key to OCR, of which nothing is here. */
const OCR_ONLY: Scope = 'ocr:full';

/** What a key must have: nothing more, or a scope. */
export type Requirement = 'any key' | Exclude<Scope, 'ocr:full'>;

/**
 * What each operation asks of a key. A wildcard key may do everything. The contract fixes the inbox
 * alone; the rest is the choice of this server. A key with `ocr:full` only learns who it is, whatever
 * other scopes it has.
 */
export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  checkAuth: 'any key',
  listDatasetReviewRequests: 'dataset_review:read',
  updateDatasetReviewRequest: 'dataset_review:write',
  listAutomations: 'workflow:read',
  getAutomation: 'workflow:read',
  moveAutomation: 'workflow:write',
  renameExpectedFile: 'workflow:write',
  deleteInputFile: 'workflow:write',
  exportDataset: 'workflow:read',
  getExperiment: 'workflow:read',
  listTemplates: 'workflow:read',
  listAgents: 'workflow:read',
  listRuns: 'workflow:read',
  startRun: 'run:write',
  cancelRun: 'run:write',
  getRun: 'workflow:read',
  getRunApp: 'workflow:read',
  getRunUsage: 'workflow:read',
  clearRunReviews: 'run_review:write',
  listExpectedReviewFiles: 'workflow:read',
  copyOutputToExpected: 'run_review:write',
  copyOutputToExpectedApp: 'run_review:write',
  uploadFile: 'file:write',
  createFileUpload: 'file:write',
  completeFileUpload: 'file:write',
  getFile: 'file:read',
  getFileContent: 'file:read',
};

/** Lets a request through whose key may use the operation; otherwise 403. */
export function requireScope(operationId: string): Middleware<AuthenticatedState> {
  const requirement = REQUIREMENTS[operationId];
  if (requirement === undefined) throw new TypeError(`no scope is decided for ${operationId}`);
  return async function scope(ctx, next) {
    const { wildcardGranted, scope: granted } = ctx.state.key;
    if (!wildcardGranted && requirement !== 'any key' && !opens(granted, requirement)) {
      const message = granted.includes(OCR_ONLY)
        ? `the scope ${OCR_ONLY} restricts the API key to OCR`
        : `the API key lacks the scope ${requirement}`;
      throw new ApiError(403, [issue('forbidden', ROOT, message)], {
        hint: 'GET /v1/auth/check tells what a key may do.',
      });
    }
    await next();
  };
}

function opens(granted: readonly string[], requirement: Requirement): boolean {
  return granted.includes(requirement) && !granted.includes(OCR_ONLY);
}
