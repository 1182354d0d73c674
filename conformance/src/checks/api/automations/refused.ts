import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { expectRefusal, expectStatus, show, violation } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { fieldSchema, invalidValues } from '../operations/invalid-values.ts';
import { openSandbox } from '../operations/sandbox.ts';
import {
  automationMove,
  move,
  moveBackLater,
  moveFirst,
  WORLD_MOVE_NEEDS,
} from '../operations/automations.ts';
import { unknownIdLike } from '../operations/unknown-id.ts';

const INVALID_ID_LENGTH = 1_000;

/** Refused moves, each after a valid one that succeeds. */
export const refusedMoveChecks: readonly Check[] = [
  automationMove.check({
    name: 'wrong-type',
    requirements: ['automation-move.body.types', 'status-code.400'],
    title: 'refuses a folderId or folderPath of the wrong type with 400',
    needs: WORLD_MOVE_NEEDS,
    run: (context) =>
      refused(context, async (sandbox, workflow) => {
        await judgeEach(
          ['folderId', 'folderPath'].flatMap((name) =>
            invalidValues(fieldSchema('AutomationMove', name)).map(({ value }) => ({
              name,
              value,
            })),
          ),
          ({ name, value }) => `${name} ${show(value)}`,
          async ({ name, value }) =>
            expectStatus(await move(sandbox, workflow, { [name]: value }), 400),
        );
      }),
  }),
  automationMove.check({
    name: 'folder-id-unknown',
    requirements: ['automation-move.folder-id.unknown'],
    title: 'refuses an unknown folderId with a 4xx',
    run: (context) =>
      refused(context, async (sandbox, workflow) => {
        const folderId = unknownIdLike(sandbox.fixture('folderId'));
        expectRefusal(await move(sandbox, workflow, { folderId }));
      }),
  }),
  automationMove.check({
    name: 'folder-id-invalid-beside-path',
    requirements: ['automation-move.folder-id.validated-beside-path'],
    title: 'refuses an invalid folderId with a 4xx, also beside a folderPath',
    needs: WORLD_MOVE_NEEDS,
    run: (context) =>
      refused(context, async (sandbox, workflow) => {
        const folderId = `${sandbox.fixture('folderId')} / ${'x'.repeat(INVALID_ID_LENGTH)}`;
        const unknown = await move(sandbox, workflow, {
          folderId: unknownIdLike(sandbox.fixture('folderId')),
        });
        const alone = await move(sandbox, workflow, { folderId });
        // The lookup may refuse both, and beside a folderPath there is no lookup.
        if (alone.status !== 400 || unknown.status === 400) {
          throw new NotApplicable(
            'the API does not distinguish an invalid folderId from an unknown one',
          );
        }
        expectRefusal(await move(sandbox, workflow, { folderId, folderPath: '/' }));
      }),
  }),
  agentRejected('agent-rejected', 'status-code.agent-move', 'an agent by its id', (sandbox) =>
    sandbox.fixture('agentId'),
  ),
  agentRejected(
    'agent-alias-rejected',
    'automation-move.path-alias',
    'an agent by its alias',
    (sandbox) => `agents.${sandbox.fixture('agentSlug')}`,
  ),
];

function agentRejected(
  name: string,
  other: string,
  what: string,
  automation: (sandbox: CheckContext) => string,
): Check {
  return automationMove.check({
    name: name,
    requirements: ['automation-move.agent-rejected', other],
    title: `refuses to move ${what} with a 4xx`,
    needs: [...WORLD_MOVE_NEEDS, 'fixture.agentId', 'fixture.agentSlug'],
    run: (context) =>
      refused(context, async (sandbox) => {
        const folderId = sandbox.fixture('folderId');
        for (const target of [{ folderId }, { folderPath: 'Agents' }, { folderId: null }]) {
          const response = await move(sandbox, automation(sandbox), target);
          expectRefusal(response);
          const byId = await move(sandbox, sandbox.fixture('agentId'), target);
          // Another refusal than that of the id: the alias names nothing.
          if (response.status !== 404 || byId.status === 404) continue;
          throw violation(`status ${byId.status}, as by id`, 'status 404', response);
        }
      }),
  });
}

/**
 * Sends a valid move first, then the refused ones. The checks cannot read whether the workflow stayed in its folder: no
 * operation reads an automation, and the contract does not define a move without a target.
 */
async function refused(
  context: CheckContext,
  probe: (sandbox: CheckContext, workflow: string) => Promise<void>,
): Promise<void> {
  const sandbox = await openSandbox(context);
  const workflow = sandbox.fixture('workflowId');
  await moveBackLater(sandbox, workflow);
  await moveFirst(sandbox, workflow, { folderId: sandbox.fixture('folderId') });
  await probe(sandbox, workflow);
}
