import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { CheckContext } from '../../../check-kit/check.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { assumeSuccess } from '../../../check-kit/expect.ts';
import { pathOf } from '../../../http/contract.ts';
import { membersOf } from '../../../http/message.ts';

/** Moves an automation, by id or alias, with the key of the run or another one. */
export function move(
  sandbox: CheckContext,
  automation: string,
  json: unknown,
  key: ApiRequest['key'] = 'main',
): Promise<ApiResponse> {
  const path = pathOf('moveAutomation', { id: automation });
  return sandbox.api.send({ method: 'PATCH', path, json, key });
}

/** The automation of a response; empty when it is not an object. */
export function automationIn({ json }: ApiResponse): Readonly<Record<string, unknown>> {
  return membersOf(json);
}

/** A move that a check needs first; the check is inconclusive unless it succeeds. */
export async function moveFirst(
  sandbox: CheckContext,
  automation: string,
  json: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await move(sandbox, automation, json);
  assumeSuccess(response);
  return automationIn(response);
}

/** No operation reads the folder of a workflow: outside a world, only the fixtures say where it is moved back to. */
export async function moveBackLater(sandbox: CheckContext, workflow: string): Promise<void> {
  if (sandbox.disposable) return;
  await sandbox.takeBackLater({
    what: `the folder of ${workflow}`,
    path: pathOf('moveAutomation', { id: workflow }),
    json: { folderPath: sandbox.fixture('workflowFolderPath') },
    place: null,
  });
}

/** What moves more than one workflow, makes a folder, or could not be taken back needs a world. */
export const WORLD_MOVE_NEEDS = ['control', 'fixture.workflowId', 'fixture.folderId'] as const;

/** A move that is taken back. */
export const MOVE_NEEDS = [
  'key.main',
  'fixture.workflowId',
  'fixture.folderId',
  'world-or.workflowFolderPath',
] as const;

export const automationMove: Area = area('api.automation-move', {
  access: 'write',
  exclusive: 'without-worlds',
  needs: MOVE_NEEDS,
});
