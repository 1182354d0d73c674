import type { DatasetReviewRequest, DatasetReviewRequestList } from '@hookproof/spec';
import { REVIEW_STATUSES } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import type { ReviewRequestRecord } from '../state/review-request.ts';
import { find } from '../store/find.ts';
import { recordsOf } from '../store/records-of.ts';
import type { State } from '../store/state.ts';
import { untilNextCommit } from '../store/until-next-commit.ts';
import { cutPage } from './page.ts';
import type { Paging } from './page.ts';
import { readWords } from './read-words.ts';
import { reviewProgress } from './review-progress.ts';

interface InboxQuery extends Paging {
  /** Statuses, separated by commas. */
  readonly status?: string;
}

/** `GET /v1/dataset-review-requests`: the inbox of the tenant, newest first. */
export function listReviewRequests({ store }: Services): Handler<InboxQuery> {
  const remembered = untilNextCommit<readonly string[]>(store);
  return async function handle({ key, query }): Promise<DatasetReviewRequestList> {
    const { state } = store;
    const wanted = readWords(query.status, 'status', 'review status', REVIEW_STATUSES);
    const all = find(state.listed.reviewRequests, key.tenantId) ?? [];
    const ids =
      wanted === null
        ? all
        : remembered(`${key.tenantId} ${[...wanted].join(' ')}`, () =>
            all.filter((id) => hasStatus(state, id, wanted)),
          );
    const { entries, total, limit, offset } = cutPage(ids, query);
    const data = recordsOf(entries, state.reviewRequests).map((review) => present(review, state));
    return { data, total, limit, offset };
  };
}

function hasStatus(state: State, id: string, wanted: ReadonlySet<string>): boolean {
  const review = find(state.reviewRequests, id);
  return review !== undefined && wanted.has(review.status);
}

function present(review: ReviewRequestRecord, state: State): DatasetReviewRequest {
  const { tenantId: _tenantId, items, events: _events, ...fields } = review;
  return {
    ...fields,
    exampleNames: items.map((item) => item.exampleName),
    progress: reviewProgress(items),
    automationName: find(state.automations, review.automationId)?.name ?? '',
  };
}
