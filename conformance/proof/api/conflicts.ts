import type { Outgoing } from '@hookproof/conformance/hooks';

import { onCall, onResponse, recordsIn } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { editJson } from '../kit/message.ts';

const MOVE = 'moveAutomation';
const UPDATE = 'updateDatasetReviewRequest';

/** What errors say, and what happens behind them. */
export const conflictDefects: readonly Defect[] = [
  defect({
    id: 'conflict-names-the-moved-workflow',
    breaks: 'envelope.conflicting-workflow-id.on-conflict',
    does: 'A name conflict names another workflow than the one that has the name.',
    api: onResponse(MOVE, (response) => {
      if (response.status !== 409) return response;
      return editJson(response, (fields) => (fields['conflictingWorkflowId'] = 'wf_another'));
    }),
  }),
  defect({
    id: 'issue-of-limit-names-another-field',
    breaks: 'envelope.issue.field',
    does: 'Every issue is about the field page.',
    api: onResponse('every', (response) => {
      if (response.status !== 400) return response;
      return editJson(response, ({ issues }) => {
        for (const issue of recordsIn(issues)) issue['field'] = 'page';
      });
    }),
  }),
  defect({
    id: 'refused-update-without-envelope',
    breaks: 'review-update.errors.envelope',
    does: 'A refused update of a review request gets a plain message.',
    api: onResponse(UPDATE, (response) =>
      response.status < 400 ? response : { ...response, bytes: Buffer.from('"refused"') },
    ),
  }),
  defect({
    id: 'unavailable-update-happens-later',
    breaks: 'status-code.503.not-processed',
    does: 'An update that got 503 is made later.',
    api: onCall('every', async ({ operationId, request, next, memory }) => {
      const waiting = memory.get('update');
      if (isRequest(waiting) && operationId === 'listDatasetReviewRequests') {
        const made = await next(waiting);
        if (made.status !== 503) memory.delete('update');
      }
      const response = await next(request);
      if (operationId === UPDATE && response.status === 503) memory.set('update', request);
      return response;
    }),
  }),
];

function isRequest(value: unknown): value is Outgoing {
  return typeof value === 'object' && value !== null && 'url' in value;
}
