import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { expectRefusal, expectStatus } from '../../../check-kit/expect.ts';
import { openSandbox } from '../operations/sandbox.ts';
import type { Sandbox } from '../operations/sandbox.ts';
import { automationMove, move, moveFirst } from '../operations/automations.ts';

/** Refused moves, each after a valid one that succeeds. */
export const refusedMoveChecks: readonly Check[] = [
  automationMove.check({
    name: 'wrong-type',
    requirements: [
      'automation-move.folder-id.type',
      'automation-move.folder-path.type',
      'status-code.400',
    ],
    title: 'refuses a folderId or folderPath of the wrong type with 400',
    run: (context) =>
      refused(context, async (sandbox, workflow) => {
        expectStatus(await move(sandbox, workflow, { folderId: 7 }), 400);
        expectStatus(await move(sandbox, workflow, { folderPath: 7 }), 400);
      }),
  }),
  automationMove.check({
    name: 'folder-id-unknown',
    requirements: ['automation-move.folder-id.unknown'],
    title: 'refuses an unknown folderId with a 4xx',
    run: (context) =>
      refused(context, async (sandbox, workflow) => {
        const folderId = oneLetterOff(sandbox.fixture('folderId'));
        expectRefusal(await move(sandbox, workflow, { folderId }));
      }),
  }),
  automationMove.check({
    name: 'folder-id-invalid-beside-path',
    requirements: ['automation-move.folder-id.validated-beside-path'],
    title: 'refuses an invalid folderId with a 4xx, also beside a folderPath',
    run: (context) =>
      refused(context, async (sandbox, workflow) => {
        expectRefusal(await move(sandbox, workflow, { folderId: '', folderPath: '/' }));
      }),
  }),
  automationMove.check({
    name: 'unknown-automation',
    requirements: ['status-code.404'],
    title: 'responds with 404 to a move of an unknown automation',
    run: (context) =>
      refused(context, async (sandbox) => {
        expectStatus(await move(sandbox, 'wf_unknown', { folderId: null }), 404);
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
  automation: (sandbox: Sandbox) => string,
): Check {
  return automationMove.check({
    name: name,
    requirements: ['automation-move.agent-rejected', other],
    title: `refuses to move ${what} with a 4xx`,
    needs: [
      'control',
      'fixture.workflowId',
      'fixture.agentId',
      'fixture.agentSlug',
      'fixture.folderId',
    ],
    run: (context) =>
      refused(context, async (sandbox) => {
        const folderId = sandbox.fixture('folderId');
        expectRefusal(await move(sandbox, automation(sandbox), { folderId }));
        expectRefusal(await move(sandbox, automation(sandbox), { folderPath: 'Agents' }));
      }),
  });
}

/**
 * Sends a valid move first, then the refused ones. The checks cannot read whether the workflow stayed in its folder: no
 * operation reads an automation, and the contract does not define a move without a target.
 */
async function refused(
  context: CheckContext,
  probe: (sandbox: Sandbox, workflow: string) => Promise<void>,
): Promise<void> {
  const sandbox = await openSandbox(context);
  const workflow = sandbox.fixture('workflowId');
  await moveFirst(sandbox, workflow, { folderId: sandbox.fixture('folderId') });
  await probe(sandbox, workflow);
}

/** An unknown folder id of the same form. */
function oneLetterOff(id: string): string {
  const last = id.at(-1) ?? '';
  return id.slice(0, -1) + (last === '0' ? '1' : '0');
}
