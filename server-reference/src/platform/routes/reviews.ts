import { REVIEW_STATUSES } from '@hookproof/spec';
import type {
  DatasetReviewRequestDetail,
  DatasetReviewRequestList,
  DatasetReviewRequestUpdate,
  FocusField,
} from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import { ApiError, issue } from '../http/api-error.ts';
import { findReview } from '../resources/find.ts';
import { cutPage, readWords } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import { presentDetail, presentInboxItem } from '../resources/present-review-request.ts';
import type { ReviewRequestRecord } from '../state/datasets.ts';
import type { ReviewRequestId, UserId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import { recordsOf } from '../state/table.ts';
import { cacheUntilCommit } from '../store/cache-until-commit.ts';
import { nextId } from '../store/seed.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

interface InboxQuery extends Paging {
  /** Statuses, separated by commas. */
  readonly status?: string;
}

/** `GET /v1/dataset-review-requests`: the inbox of the tenant, newest first. */
export function listReviewRequests({ store }: Services): Handler<InboxQuery> {
  const cached = cacheUntilCommit<readonly ReviewRequestId[]>(store);
  return async function handle({ key, query }): Promise<DeepReadonly<DatasetReviewRequestList>> {
    const { state } = store;
    const statuses = readWords(query.status, 'status', 'review status', REVIEW_STATUSES);
    const all = state.listed.reviewRequests.of(key.tenantId);
    const ids =
      statuses === null
        ? all
        : cached(`${key.tenantId} ${[...statuses].join(' ')}`, () =>
            all.filter((id) => hasStatus(state, id, statuses)),
          );
    const { entries, total, limit, offset } = cutPage(ids, query);
    const data = recordsOf(entries, state.reviewRequests).map((review) =>
      presentInboxItem(review, state),
    );
    return { data, total, limit, offset };
  };
}

function hasStatus(
  state: ReadonlyState,
  id: ReviewRequestId,
  statuses: ReadonlySet<string>,
): boolean {
  const review = state.reviewRequests.get(id);
  return review !== undefined && statuses.has(review.status);
}

type Update = ApiRequest<unknown, DatasetReviewRequestUpdate>;

/** `PATCH /v1/automations/{id}/dataset-review-requests/{reviewId}`: updates a request, never its dataset. */
export function updateReviewRequest({ store, clock }: Services): Handler<unknown, Update['body']> {
  return async function handle(request: Update): Promise<DeepReadonly<DatasetReviewRequestDetail>> {
    return store.commit((state) => {
      const review = findReview(state, request);
      refuseClosed(review);
      const changes = readChanges(request.body);
      const now = isoTime(clock.now());
      if (Object.keys(changes).length > 0) {
        recordUpdate(state, review.id, changes, request.key.userId, now);
      }
      return presentDetail(review, state);
    });
  };
}

/** Returns the fields that may change. Other fields of the body are ignored. */
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

function refuseClosed(review: DeepReadonly<ReviewRequestRecord>): void {
  if (review.status !== 'closed') return;
  throw new ApiError(409, [issue('review_closed', 'reviewId', 'the review request is closed')], {
    hint: 'Only a draft, open or paused request accepts changes, and closing is final.',
  });
}

/** `draft`, `open` and `paused` may change to every status; `closed` is final. */
function recordUpdate(
  state: State,
  reviewId: ReviewRequestId,
  changes: DatasetReviewRequestUpdate,
  actorUserId: UserId,
  now: string,
): void {
  const review = state.reviewRequests.edit(reviewId);
  Object.assign(review, changes);
  if (changes.status === 'closed') review.closedAt = now;
  review.events.push({
    id: nextId(state, 'revent_'),
    reviewId,
    itemId: '',
    actorUserId,
    action: changes.status === 'closed' ? 'closed' : 'updated',
    diffSummary: changes,
    createdAt: now,
  });
  forgetOldEvents(review);
}

/** A response contains all events, and a client can send any number of updates. */
export const MAX_EVENT_BYTES = 65_536;

/** Keeps the newest events within {@link MAX_EVENT_BYTES}, and the newest one in any case. */
function forgetOldEvents(review: ReviewRequestRecord): void {
  let bytes = 0;
  const kept = review.events.findLastIndex((event) => {
    bytes += JSON.stringify(event).length;
    return bytes > MAX_EVENT_BYTES;
  });
  if (kept !== -1)
    review.events = review.events.slice(Math.min(kept + 1, review.events.length - 1));
}
