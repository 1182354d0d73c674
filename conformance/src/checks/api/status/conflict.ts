import type { ApiResponse } from '../../../api-client.ts';
import type { Check, CheckContext, Requirements } from '../../../check.ts';
import { Inconclusive, NotApplicable } from '../../../findings.ts';
import { expectEqual, expectStatus, isRecord } from '../../expect.ts';
import { move, moveFirst } from '../automation-move/move.ts';
import { openStage } from '../stage.ts';
import type { Stage } from '../stage.ts';

/** A move that conflicts, as the fixtures promise: which requests do is left open. */
export const conflictChecks: readonly Check[] = [
  {
    ...base('status-code.conflict', 'status-code.409'),
    title: 'a move that conflicts with a name that is taken is answered with 409',
    async run(context) {
      expectStatus((await provoke(context)).answer, 409);
    },
  },
  {
    ...base('envelope.conflict-owner', 'envelope.conflicting-workflow-id.on-conflict'),
    title: 'a workflow_name_conflict names in conflictingWorkflowId the workflow that has the name',
    async run(context) {
      const { stage, answer } = await provoke(context);
      if (answer.status !== 409) {
        throw new Inconclusive(
          `the move was answered ${answer.status}; see the check api.status-code.conflict`,
        );
      }
      const { issues, conflictingWorkflowId } = isRecord(answer.json) ? answer.json : {};
      if (!Array.isArray(issues) || !issues.some(isNameConflict)) {
        throw new NotApplicable('the 409 does not have the code workflow_name_conflict');
      }
      const owner = stage.fixture('conflictOwnerId');
      expectEqual('conflictingWorkflowId', conflictingWorkflowId, owner, answer);
    },
  },
];

/** The same workflow can be moved where its name is free. */
async function provoke(
  context: CheckContext,
): Promise<{ readonly stage: Stage; readonly answer: ApiResponse }> {
  const stage = await openStage(context);
  const workflow = stage.fixture('conflictingWorkflowId');
  await moveFirst(stage, workflow, { folderPath: 'Conformance/Free of names' });
  const folderId = stage.fixture('conflictingFolderId');
  return { stage, answer: await move(stage, workflow, { folderId }) };
}

function isNameConflict(issue: unknown): boolean {
  return isRecord(issue) && issue['code'] === 'workflow_name_conflict';
}

function base(name: string, ...requirements: Requirements): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.${name}`,
    requirements,
    side: 'api',
    effect: 'write',
    needs: [
      'control',
      'fixture.conflictingWorkflowId',
      'fixture.conflictingFolderId',
      'fixture.conflictOwnerId',
    ],
  };
}
