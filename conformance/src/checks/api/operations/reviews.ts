import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { Sandbox } from './sandbox.ts';

/** Sends a change of a review request, whose inbox entry says where it is. */
export function patchReview(
  sandbox: Sandbox,
  entry: Readonly<Record<string, unknown>>,
  json: unknown,
  key: ApiRequest['key'] & {} = sandbox.key,
): Promise<ApiResponse> {
  return sandbox.api.send({
    method: 'PATCH',
    path: reviewPath(String(entry['automationId']), String(entry['id'])),
    key,
    json,
  });
}

export function reviewPath(automation: string, review: string): string {
  return `/v1/automations/${encodeURIComponent(automation)}/dataset-review-requests/${encodeURIComponent(review)}`;
}

/** Without a control interface the checks of the review update share the fixtures of the run. */
const FRAME = {
  access: 'write',
  exclusive: 'without-worlds',
  needs: ['key.main', 'fixture.openReviewId'],
} as const;

export const reviewUpdate: Area = area('api.review-update', FRAME);
export const envelope: Area = area('api.envelope', FRAME);
