import type {
  DatasetReviewRequestDetail,
  DatasetReviewRequestUpdate,
  FocusField,
} from '@hookproof/spec';

import { ApiError, issue, notFound } from '../app/api-error.ts';
import type { ApiRequest, Handler, Services } from '../app/handler.ts';
import type { ReviewRequestRecord } from '../state/review-request.ts';
import { find } from '../store/find.ts';
import { nextId } from '../store/next-id.ts';
import type { State } from '../store/state.ts';
import { findAutomation } from './find-automation.ts';
import { reviewProgressDetail } from './review-progress.ts';

type Update = ApiRequest<unknown, DatasetReviewRequestUpdate>;

/** `PATCH /v1/automations/{id}/dataset-review-requests/{reviewId}`; it never touches the dataset. */
export function updateReviewRequest({ store, clock }: Services): Handler<unknown, Update['body']> {
  return async function handle(request: Update): Promise<DatasetReviewRequestDetail> {
    return store.commit((state) => {
      const review = findReview(state, request);
      refuseClosed(review);
      const changes = readChanges(request.body);
      const now = new Date(clock.now()).toISOString();
      if (Object.keys(changes).length > 0) {
        recordUpdate(state, review, changes, request.key.userId, now);
      }
      return present(review);
    });
  };
}

function findReview(state: State, { key, path }: Update): ReviewRequestRecord {
  const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
  const review = find(state.reviewRequests, path['reviewId'] ?? '');
  if (review === undefined || review.automationId !== automation.id) {
    throw notFound('reviewId', 'the automation has no dataset review request with this id');
  }
  return review;
}

/** The fields that may be changed; whatever else the body holds is passed over. */
function readChanges(body: DatasetReviewRequestUpdate): DatasetReviewRequestUpdate {
  const { title, instructions, focusFields, ignoredFields, status } = body;
  return {
    ...(title === undefined ? {} : { title }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(focusFields === undefined ? {} : { focusFields: focusFields.map(knownFields) }),
    ...(ignoredFields === undefined ? {} : { ignoredFields }),
    ...(status === undefined ? {} : { status }),
  };
}

function knownFields({ path, reason }: FocusField): FocusField {
  return reason === undefined ? { path } : { path, reason };
}

function refuseClosed(review: ReviewRequestRecord): void {
  if (review.status !== 'closed') return;
  throw new ApiError(409, [issue('review_closed', 'reviewId', 'the review request is closed')], {
    hint: 'Only a draft, open or paused request accepts changes, and closing is final.',
  });
}

/** `draft`, `open` and `paused` may follow each other freely; `closed` is the end. */
function recordUpdate(
  state: State,
  review: ReviewRequestRecord,
  changes: DatasetReviewRequestUpdate,
  actorUserId: string,
  now: string,
): void {
  Object.assign(review, changes);
  if (changes.status === 'closed') review.closedAt = now;
  review.events.push({
    id: nextId(state, 'revent_'),
    reviewId: review.id,
    itemId: '',
    actorUserId,
    action: changes.status === 'closed' ? 'closed' : 'updated',
    diffSummary: changes,
    createdAt: now,
  });
}

function present(review: ReviewRequestRecord): DatasetReviewRequestDetail {
  const { tenantId: _tenantId, ...fields } = review;
  return {
    ...fields,
    // The history may grow before the answer is sent.
    events: [...review.events],
    exampleNames: review.items.map((item) => item.exampleName),
    progress: reviewProgressDetail(review.items),
  };
}
