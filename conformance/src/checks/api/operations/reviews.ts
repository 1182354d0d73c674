import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { CheckContext } from '../../../check-kit/check.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { assumeSuccess } from '../../../check-kit/expect.ts';
import { findEntry } from '../../../clients/find-entry.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { INBOX } from './lists.ts';
import { readingOf, reviewPath } from './review-fields.ts';
import type { Entry } from './review-fields.ts';

/** Without a control interface the checks of the review update share the fixtures of the run. */
const FRAME = {
  access: 'write',
  exclusive: 'without-worlds',
  needs: ['key.main', 'fixture.openReviewId'],
} as const;

export const reviewUpdate: Area = area('api.review-update', FRAME);

/** Updates a review request, identified by its inbox entry. */
export function patchReview(
  sandbox: CheckContext,
  entry: Entry,
  json: unknown,
): Promise<ApiResponse> {
  return sandbox.api.send({
    method: 'PATCH',
    path: reviewPath(entry),
    json,
  });
}

/**
 * The current inbox entry of a review request, from any page. What a check changes of it is put back when the attempt
 * ends.
 */
export async function readReview(
  sandbox: CheckContext,
  id: string,
): Promise<{ entry: Entry; response: ApiResponse }> {
  const { entry, response } = await findEntry(sandbox.api, INBOX.path, id);
  if (entry === null) {
    assumeSuccess(response);
    throw new Inconclusive(`Cannot judge: the inbox does not list the review request ${id}.`);
  }
  sandbox.restoreLater(readingOf(entry));
  return { entry, response };
}
