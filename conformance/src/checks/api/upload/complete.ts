import type { ApiRequest, ApiResponse } from '../../../api-client.ts';
import type { Stage } from '../stage.ts';
import { expectControlPasses, isRecord } from '../../expect.ts';

/** Completes an upload, with no body. */
export function complete(
  stage: Stage,
  id: string,
  key: ApiRequest['key'] & {} = stage.key,
): Promise<ApiResponse> {
  const path = `/v1/files/uploads/${encodeURIComponent(id)}/complete`;
  return stage.api.send({ method: 'POST', path, key });
}

/** The id of the file that an upload became. Inconclusive when it did not: `api.upload-complete.no-request-body` says so. */
export function completedFile(response: ApiResponse): string {
  expectControlPasses(response);
  return String(isRecord(response.json) ? response.json['id'] : undefined);
}
