import type { ApiRequest, ApiResponse } from '../../../api-client.ts';
import type { Stage } from '../stage.ts';

/** Sends a change of a review request, whose inbox entry says where it is. */
export function patchReview(
  stage: Stage,
  entry: Readonly<Record<string, unknown>>,
  json: unknown,
  key: ApiRequest['key'] & {} = stage.key,
): Promise<ApiResponse> {
  return stage.api.send({
    method: 'PATCH',
    path: reviewPath(String(entry['automationId']), String(entry['id'])),
    key,
    json,
  });
}

export function reviewPath(automation: string, review: string): string {
  return `/v1/automations/${encodeURIComponent(automation)}/dataset-review-requests/${encodeURIComponent(review)}`;
}
