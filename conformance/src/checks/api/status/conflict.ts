import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { Inconclusive, NotApplicable } from '../../../verdict/findings.ts';
import { expectEqual, expectStatus } from '../../../check-kit/expect.ts';
import { isRecord, membersOf } from '../../../http/message.ts';
import { move, moveFirst } from '../operations/automations.ts';
import { CONFLICT_NEEDS } from '../operations/name-conflict.ts';
import { openSandbox } from '../operations/sandbox.ts';

const conflict = area('api', {
  access: 'write',
  needs: ['control', ...CONFLICT_NEEDS],
});

/** A move that conflicts according to the fixtures: the contract leaves open which requests conflict. */
export const conflictChecks: readonly Check[] = [
  conflict.check({
    name: 'status-code.conflict',
    requirements: ['status-code.409'],
    title: 'responds with 409 to a move that conflicts with an existing name',
    async run(context) {
      expectStatus((await provoke(context)).response, 409);
    },
  }),
  conflict.check({
    name: 'envelope.conflict-owner',
    requirements: ['envelope.conflicting-workflow-id.on-conflict'],
    title: 'conflictingWorkflowId of a workflow_name_conflict is the workflow that has the name',
    async run(context) {
      const { sandbox, response } = await provoke(context);
      if (response.status !== 409) {
        throw new Inconclusive(`Cannot judge: the move got ${response.status}.`, {
          reportedBy: 'api.status-code.conflict',
        });
      }
      const { issues, conflictingWorkflowId } = membersOf(response.json);
      if (!Array.isArray(issues) || !issues.some(isNameConflict)) {
        throw new NotApplicable('the 409 has no issue with the code workflow_name_conflict');
      }
      const owner = sandbox.fixture('conflictOwnerId');
      expectEqual('conflictingWorkflowId', conflictingWorkflowId, owner, response);
    },
  }),
];

/** The same workflow can move to a folder without that name. */
async function provoke(
  context: CheckContext,
): Promise<{ readonly sandbox: CheckContext; readonly response: ApiResponse }> {
  const sandbox = await openSandbox(context);
  const workflow = sandbox.fixture('conflictingWorkflowId');
  await moveFirst(sandbox, workflow, { folderPath: 'Conformance/Free' });
  const folderId = sandbox.fixture('conflictingFolderId');
  return { sandbox, response: await move(sandbox, workflow, { folderId }) };
}

function isNameConflict(issue: unknown): boolean {
  return isRecord(issue) && issue['code'] === 'workflow_name_conflict';
}
