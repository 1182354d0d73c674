import type { Between } from '../../http/between.ts';
import type { Outgoing } from '../../http/message.ts';
import { editJson, refuse } from '../kit/message.ts';
import { defect, variant } from '../kit/defect.ts';
import type { Defect, Variant } from '../kit/defect.ts';
import { onCall, onRequest, onResponse, recordsIn, isFields, fieldsOf } from '../kit/api.ts';

const MOVE = 'moveAutomation';
const UPDATE = 'updateDatasetReviewRequest';
const CONFLICT_FIXTURES = ['conflictingWorkflowId', 'conflictingFolderId', 'conflictOwnerId'];
const CONFLICT_CHECKS = ['api.envelope.conflict-owner', 'api.status-code.conflict'];

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

/** Which requests conflict, and with which status. */
export const conflictVariants: readonly Variant[] = [
  variant({
    id: 'names-repeat-across-folders',
    does: 'Workflows of different folders can have the same name, so that no move conflicts.',
    takes: 'automation-move.name-conflict',
    silences: CONFLICT_CHECKS,
    api: () => ({ control: withoutConflictFixtures }),
  }),
  variant({
    id: 'only-names-conflict',
    takes: 'status-code.409.conditions',
    does: 'Only a name conflict gets 409; other conflicts get 400.',
    api: onResponse('every', (response) => {
      const isName = recordsIn(fieldsOf(response)['issues']).some(
        ({ code }) => code === 'workflow_name_conflict',
      );
      return response.status === 409 && !isName ? { ...response, status: 400 } : response;
    }),
  }),
  variant({
    id: 'agents-conflict',
    takes: 'status-code.409.conditions',
    does: 'The move of an agent gets 409.',
    api: onResponse(MOVE, (response, { request }) => {
      const isAgent = /\/(agent_|agents\.)/.test(new URL(request.url).pathname);
      return response.status === 400 && isAgent ? { ...response, status: 409 } : response;
    }),
  }),
  variant({
    id: 'small-bodies-except-updates',
    takes: 'limits.upload-size',
    does: 'Operations other than the update of a review request accept bodies of at most 8 KiB.',
    api: onRequest('every', (request, { operationId }) => {
      const isLarge = (request.body?.byteLength ?? 0) > 8_192;
      return isLarge && operationId !== UPDATE ? refuse(413, 'body_too_large') : request;
    }),
  }),
];

/** Without a conflict, no fixture can name one. */
const withoutConflictFixtures: Between = async (request, next) => {
  const response = await next(request);
  return editJson(response, ({ fixtures }) => {
    if (!isFields(fixtures)) return;
    for (const name of CONFLICT_FIXTURES) Reflect.deleteProperty(fixtures, name);
  });
};

function isRequest(value: unknown): value is Outgoing {
  return typeof value === 'object' && value !== null && 'url' in value;
}
