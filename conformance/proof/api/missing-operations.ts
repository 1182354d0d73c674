import type { Incoming } from '@hookproof/conformance/hooks';

import { onRequest } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { refuse } from '../kit/message.ts';

/** Without both, the target is no such API. */
const FIRST = new Set(['checkAuth', 'listDatasetReviewRequests']);

/** Operations that the target does not have. */
export const missingOperationDefects: readonly Defect[] = [
  defect({
    id: 'operations-of-other-methods',
    breaks: 'versioning.path-major',
    does: 'The paths of most operations are known with other methods only, and get 405.',
    api: onRequest('every', (request, { operationId }) =>
      FIRST.has(operationId) ? request : refuse(405, 'method_not_allowed'),
    ),
  }),
  defect({
    id: 'operations-not-routed',
    breaks: 'versioning.path-major',
    does: 'Operations on one resource are not routed, and get a 404 page.',
    api: onRequest('every', (request, { operation }) =>
      operation.path.includes('{') ? page() : request,
    ),
  }),
  defect({
    id: 'auth-check-not-routed',
    breaks: 'auth-check.identity',
    does: 'There is no auth check: its path gets 404.',
    api: onRequest('checkAuth', () => refuse(404, 'not_found')),
  }),
  defect({
    id: 'inbox-not-routed',
    breaks: 'inbox.list.status-200',
    does: 'There is no inbox: its path gets 404.',
    api: onRequest('listDatasetReviewRequests', () => refuse(404, 'not_found')),
  }),
];

function page(): Incoming {
  return {
    status: 404,
    headers: [['content-type', 'text/html']],
    bytes: Buffer.from('<h1>Not Found</h1>'),
  };
}
