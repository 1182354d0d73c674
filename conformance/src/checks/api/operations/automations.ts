import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { assumeSuccess, isRecord } from '../../../check-kit/expect.ts';
import type { Sandbox } from './sandbox.ts';

/** Moves an automation, by id or alias. */
export function move(
  sandbox: Sandbox,
  automation: string,
  json: unknown,
  key: ApiRequest['key'] & {} = sandbox.key,
): Promise<ApiResponse> {
  const path = `/v1/automations/${encodeURIComponent(automation)}`;
  return sandbox.api.send({ method: 'PATCH', path, key, json });
}

/** The automation of a response; empty when it is not an object. */
export function automationIn({ json }: ApiResponse): Readonly<Record<string, unknown>> {
  return isRecord(json) ? json : {};
}

/** A move that a check needs first; the check is inconclusive unless it succeeds. */
export async function moveFirst(
  sandbox: Sandbox,
  automation: string,
  json: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await move(sandbox, automation, json);
  assumeSuccess(response);
  return automationIn(response);
}

/** Where a workflow lay cannot be read before a move, so a move cannot be undone: it needs a world to spare. */
export const automationMove: Area = area('api.automation-move', {
  access: 'write',
  needs: ['control', 'fixture.workflowId', 'fixture.folderId'],
});
