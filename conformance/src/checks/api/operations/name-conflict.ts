import type { CheckContext } from '../../../check-kit/check.ts';
import { isSuccess } from '../../../http/message.ts';
import { automationIn, move } from './automations.ts';
import { fixtureOrNull } from './files.ts';
import type { VisibleState } from './operation.ts';

/** A workflow whose name another one has in a folder. */
export const CONFLICT_NEEDS = [
  'fixture.conflictingWorkflowId',
  'fixture.conflictingFolderId',
  'fixture.conflictOwnerId',
] as const;

/**
 * The workflow that has the name of another one in a folder: no operation reads the folder of a workflow, but this one's
 * shows in whether the other can move there. Null where the fixtures name none.
 */
export async function nameOwner(
  sandbox: CheckContext,
): Promise<{ readonly id: string; readonly slug: string } | null> {
  const id = fixtureOrNull(sandbox, 'conflictOwnerId');
  const folderId = fixtureOrNull(sandbox, 'conflictingFolderId');
  if (!sandbox.disposable || id === null || folderId === null) return null;
  // It is there already: the response shows its slug.
  const response = await move(sandbox, id, { folderId });
  if (!isSuccess(response)) return null;
  const { slug } = automationIn(response);
  return { id, slug: typeof slug === 'string' ? slug : '' };
}

/** Whether that workflow is still in its folder. */
export function ownerFolder(sandbox: CheckContext): VisibleState {
  return {
    name: 'workflow',
    async read(before) {
      const workflow = fixtureOrNull(sandbox, 'conflictingWorkflowId');
      const folderId = fixtureOrNull(sandbox, 'conflictingFolderId');
      if (workflow === null || folderId === null) return null;
      const { status } = await move(sandbox, workflow, { folderId });
      if (status === 409) return 'in its folder';
      return before === undefined ? null : 'in another folder';
    },
  };
}
