import type { Middleware } from 'koa';

import { ApiError, ROOT, issue } from './api-error.ts';
import type { AuthenticatedState } from './authenticate.ts';

/** What a key must have: nothing more, a scope, or the right to everything. */
export type Requirement = 'any key' | 'wildcard key' | 'dataset_review:read' | 'workflow:read';

/**
 * What each operation asks of a key. A wildcard key may do everything. The contract fixes the inbox
 * alone; the rest is the choice of this server. No row names `ocr:full`, so such a key only learns
 * who it is.
 */
export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  checkAuth: 'any key',
  listDatasetReviewRequests: 'dataset_review:read',
  updateDatasetReviewRequest: 'wildcard key',
  moveAutomation: 'wildcard key',
  listTemplates: 'workflow:read',
  listAgents: 'workflow:read',
  getRun: 'workflow:read',
  getRunApp: 'workflow:read',
};

/** Lets a request through whose key may use the operation; otherwise 403. */
export function requireScope(operationId: string): Middleware<AuthenticatedState> {
  const requirement = REQUIREMENTS[operationId];
  if (requirement === undefined) throw new TypeError(`no scope is decided for ${operationId}`);
  return async function scope(ctx, next) {
    const { wildcardGranted, scope: granted } = ctx.state.key;
    if (!wildcardGranted && requirement !== 'any key' && !granted.includes(requirement)) {
      const lacking =
        requirement === 'wildcard key' ? 'is not a wildcard key' : `lacks the scope ${requirement}`;
      throw new ApiError(403, [issue('forbidden', ROOT, `the API key ${lacking}`)], {
        hint: 'GET /v1/auth/check tells what a key may do.',
      });
    }
    await next();
  };
}
