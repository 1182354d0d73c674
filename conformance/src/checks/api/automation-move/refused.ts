import type { Check, CheckContext } from '../../../check.ts';
import { expectRefusal, expectStatus } from '../../expect.ts';
import { openStage } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { move, moveCheck, moveFirst } from './move.ts';

/** Moves that are refused, each beside one that succeeds. */
export const refusedMoveChecks: readonly Check[] = [
  {
    ...moveCheck(
      'wrong-type',
      'automation-move.folder-id.type',
      'automation-move.folder-path.type',
      'status-code.400',
    ),
    title: 'a folderId or folderPath of the wrong type is refused with 400',
    run: (context) =>
      refused(context, async (stage, workflow) => {
        expectStatus(await move(stage, workflow, { folderId: 7 }), 400);
        expectStatus(await move(stage, workflow, { folderPath: 7 }), 400);
      }),
  },
  {
    ...moveCheck('folder-id-unknown', 'automation-move.folder-id.unknown'),
    title: 'a folderId that names no folder is refused with a 4xx',
    run: (context) =>
      refused(context, async (stage, workflow) => {
        const folderId = oneLetterOff(stage.fixture('folderId'));
        expectRefusal(await move(stage, workflow, { folderId }));
      }),
  },
  {
    ...moveCheck(
      'folder-id-invalid-beside-path',
      'automation-move.folder-id.validated-beside-path',
    ),
    title: 'an invalid folderId is refused with a 4xx beside a folderPath, too',
    run: (context) =>
      refused(context, async (stage, workflow) => {
        expectRefusal(await move(stage, workflow, { folderId: '', folderPath: '/' }));
      }),
  },
  {
    ...moveCheck('unknown-automation', 'status-code.404'),
    title: 'a move of an automation that does not exist is answered with 404',
    run: (context) =>
      refused(context, async (stage) => {
        expectStatus(await move(stage, 'wf_that_nobody_made', { folderId: null }), 404);
      }),
  },
  agentRejected('agent-rejected', 'status-code.agent-move', 'an agent by its id', (stage) =>
    stage.fixture('agentId'),
  ),
  agentRejected(
    'agent-alias-rejected',
    'automation-move.path-alias',
    'an agent by its alias',
    (stage) => `agents.${stage.fixture('agentSlug')}`,
  ),
];

function agentRejected(
  name: string,
  other: string,
  what: string,
  automation: (stage: Stage) => string,
): Check {
  return {
    ...moveCheck(name, 'automation-move.agent-rejected', other),
    title: `moving ${what} is refused with a 4xx`,
    needs: [
      'control',
      'fixture.workflowId',
      'fixture.agentId',
      'fixture.agentSlug',
      'fixture.folderId',
    ],
    run: (context) =>
      refused(context, async (stage) => {
        const folderId = stage.fixture('folderId');
        expectRefusal(await move(stage, automation(stage), { folderId }));
        expectRefusal(await move(stage, automation(stage), { folderPath: 'Agents' }));
      }),
  };
}

/**
 * Probes beside a move that succeeds. Whether the workflow stayed where it was cannot be asked: no
 * operation reads an automation, and a move that names no goal is not defined.
 */
async function refused(
  context: CheckContext,
  probe: (stage: Stage, workflow: string) => Promise<void>,
): Promise<void> {
  const stage = await openStage(context);
  const workflow = stage.fixture('workflowId');
  await moveFirst(stage, workflow, { folderId: stage.fixture('folderId') });
  await probe(stage, workflow);
}

/** The id of a folder that does not exist, in the form of one that does. */
function oneLetterOff(id: string): string {
  const last = id.at(-1) ?? '';
  return id.slice(0, -1) + (last === '0' ? '1' : '0');
}
