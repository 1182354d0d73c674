import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { Sandbox } from './sandbox.ts';
import { assumeSuccess, isRecord } from '../../../check-kit/expect.ts';

/** Completes an upload, with no body. */
export function complete(
  sandbox: Sandbox,
  id: string,
  key: ApiRequest['key'] & {} = sandbox.key,
): Promise<ApiResponse> {
  const path = `/v1/files/uploads/${encodeURIComponent(id)}/complete`;
  return sandbox.api.send({ method: 'POST', path, key });
}

/** The id of the file that an upload became. Inconclusive when it did not: `api.upload-complete.no-request-body` says so. */
export function completedFile(response: ApiResponse): string {
  assumeSuccess(response);
  return String(isRecord(response.json) ? response.json['id'] : undefined);
}
