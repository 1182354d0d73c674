import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { assumeSuccess } from '../../../check-kit/expect.ts';
import { findEntry } from '../../../clients/find-entry.ts';
import { pathOf } from '../../../http/contract.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { INBOX } from './lists.ts';
import type { Sandbox } from './sandbox.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Without a control interface the checks of the review update share the fixtures of the run. */
const FRAME = {
  access: 'write',
  exclusive: 'without-worlds',
  needs: ['key.main', 'fixture.openReviewId'],
} as const;

export const reviewUpdate: Area = area('api.review-update', FRAME);

/** Updates a review request, identified by its inbox entry. */
export function patchReview(
  sandbox: Sandbox,
  entry: Entry,
  json: unknown,
  key: ApiRequest['key'] & {} = sandbox.key,
): Promise<ApiResponse> {
  return sandbox.api.send({
    method: 'PATCH',
    path: reviewPath(entry),
    key,
    json,
  });
}

function reviewPath(entry: Entry): string {
  const [id, reviewId] = [String(entry['automationId']), String(entry['id'])];
  return pathOf('updateDatasetReviewRequest', { id, reviewId });
}

/**
 * The current inbox entry of a review request, from any page. What a check changes of it is put back when the attempt
 * ends.
 */
export async function readReview(
  sandbox: Sandbox,
  key: ApiRequest['key'] & {},
  id: string,
): Promise<{ entry: Entry; response: ApiResponse }> {
  const { entry, response } = await findEntry(sandbox.api, INBOX.path, { id, key });
  if (entry === null) {
    assumeSuccess(response);
    throw new Inconclusive(`Cannot judge: the inbox does not list the review request ${id}.`);
  }
  if (key === sandbox.key) restoreReviewLater(sandbox, entry);
  return { entry, response };
}

/** The fields that an update can set. */
const FIELDS = ['title', 'instructions', 'focusFields', 'ignoredFields', 'status'] as const;

function restoreReviewLater(sandbox: Sandbox, entry: Entry): void {
  const id = String(entry['id']);
  const known = FIELDS.filter((name) => entry[name] !== undefined);
  sandbox.restoreLater({
    what: `review request ${id}`,
    key: 'main',
    read: { path: INBOX.path, id },
    write: { path: reviewPath(entry) },
    fields: Object.fromEntries(known.map((name) => [name, entry[name]])),
  });
}
