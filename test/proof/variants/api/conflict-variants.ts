import type { Between } from '@hookproof/conformance/hooks';
import { fieldsOf, isFields, onResponse, recordsIn } from '@hookproof/conformance/proof/kit/api';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import { editJson } from '@hookproof/conformance/proof/kit/message';

const MOVE = 'moveAutomation';
const CONFLICT_FIXTURES = ['conflictingWorkflowId', 'conflictingFolderId', 'conflictOwnerId'];
/** Which requests conflict, and with which status. */
export const conflictVariants: readonly Variant[] = [
  variant({
    id: 'names-repeat-across-folders',
    does: 'Workflows of different folders can have the same name, so that no move conflicts.',
    takes: 'automation-move.name-conflict',
    silences: [
      'api.envelope.conflict-owner',
      'api.status-code.conflict',
      'api.automation-move.others-stay',
    ],
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
];

/** Without a conflict, no fixture can name one. */
const withoutConflictFixtures: Between = async (request, next) => {
  const response = await next(request);
  return editJson(response, ({ fixtures }) => {
    if (!isFields(fixtures)) return;
    for (const name of CONFLICT_FIXTURES) Reflect.deleteProperty(fixtures, name);
  });
};
