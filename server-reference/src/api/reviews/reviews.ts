import { REVIEW_STATUSES } from '@hookproof/spec';
import type {
  DatasetReviewRequestDetail,
  DatasetReviewRequestList,
  DatasetReviewRequestUpdate,
  FocusField,
} from '@hookproof/spec';

import { isoTime } from '../../clock/clock.ts';
import { notFound, refusal } from '../../errors.ts';
import type { ReviewRequestRecord } from '../../store/datasets.ts';
import type { ReviewRequestId, UserId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import { findAutomation } from '../automations/automation.ts';
import { cutPage, newestFirst, readWords } from '../paging.ts';
import type { Paging } from '../paging.ts';
import type { ApiRequest, Handler, Services, TenantRequest } from '../services.ts';
import { presentDetail, presentInboxItem } from './present-review-request.ts';

interface InboxQuery extends Paging {
  /** Statuses, separated by commas. */
  readonly status?: string;
}

/** `GET /v1/dataset-review-requests`: the inbox of the tenant, newest first. */
export function listReviewRequests({ store }: Services): Handler<InboxQuery> {
  return async function handle({ key, query }): Promise<DeepReadonly<DatasetReviewRequestList>> {
    const { state } = store;
    const statuses = readWords(query.status, 'status', 'review status', REVIEW_STATUSES);
    const reviews = state.reviewRequests.filter(
      ({ tenantId, status }) =>
        tenantId === key.tenantId && (statuses === null || statuses.has(status)),
    );
    const { entries, total, limit, offset } = cutPage(newestFirst(reviews), query);
    return { data: entries.map((review) => presentInboxItem(review, state)), total, limit, offset };
  };
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
  throw refusal('review_closed', 'reviewId', 'the review request is closed', {
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
  dropOldEvents(review);
}

/** A response contains all events, and a client can send any number of updates. */
const MAX_EVENT_BYTES = 65_536;

/** Drops the oldest events beyond {@link MAX_EVENT_BYTES}, but never the newest event. */
function dropOldEvents(review: ReviewRequestRecord): void {
  let bytes = 0;
  const dropped = review.events.findLastIndex((event) => {
    bytes += JSON.stringify(event).length;
    return bytes > MAX_EVENT_BYTES;
  });
  if (dropped !== -1)
    review.events = review.events.slice(Math.min(dropped + 1, review.events.length - 1));
}

/** Returns the review request that the path names, if its automation belongs to the tenant; else 404. */
function findReview(
  state: ReadonlyState,
  { key, path }: TenantRequest,
): DeepReadonly<ReviewRequestRecord> {
  const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
  const review = state.reviewRequests.get(path['reviewId'] ?? '');
  if (review === undefined || review.automationId !== automation.id) {
    throw notFound('reviewId', 'the automation has no dataset review request with this id');
  }
  return review;
}
