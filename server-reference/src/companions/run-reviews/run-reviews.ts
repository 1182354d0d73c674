import type { RunReview } from '@hookproof/spec';

import type { RunReviewWrite } from '../../generated/companions.ts';
import { findOwner } from '../../api/auth/check-auth.ts';
import { presentReview } from '../../api/runs/present-review.ts';
import { findRun } from '../../api/runs/runs.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import { isoTime } from '../../clock/clock.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReviewRecord } from '../../store/runs.ts';
import { nextId } from '../../store/seed.ts';
import { writeReview } from './write-review.ts';

export interface Shown {
  readonly review: DeepReadonly<RunReview> | null;
}

/** `GET /v1/runs/{id}/reviews`: the review of a run; null without one. */
export function getRunReview({ store }: Services): Handler {
  return async function handle(request): Promise<Shown> {
    const { id } = findRun(store.state, request);
    return { review: presentReview(store.state.runReviews.get(id)) };
  };
}

/** `PUT /v1/runs/{id}/reviews`: writes the review of a run, in the name of the user of the key. */
export function putRunReview(services: Services): Handler<unknown, RunReviewWrite> {
  return (request: ReviewRequest) => commitReview(services, request, () => request.body);
}

/** `PATCH /v1/runs/{id}/reviews`: changes the given members of a review, and closes it by default. */
export function updateRunReview(services: Services): Handler<unknown, RunReviewWrite> {
  return (request: ReviewRequest) =>
    commitReview(services, request, (former) => ({
      verdict: former?.verdict ?? null,
      note: former?.note ?? null,
      status: 'closed',
      ...request.body,
    }));
}

type ReviewRequest = ApiRequest<unknown, RunReviewWrite>;

async function commitReview(
  { store, clock }: Services,
  request: ReviewRequest,
  writtenOver: (former: DeepReadonly<ReviewRecord> | null) => DeepReadonly<RunReviewWrite>,
): Promise<Shown> {
  return store.commit((state) => {
    const { id } = findRun(state, request);
    const { user } = findOwner(state, request.key);
    const former = state.runReviews.get(id);
    const before = former?.review ?? null;
    const review = writeReview(before, writtenOver(before), {
      userId: user.id,
      email: user.email,
      at: isoTime(clock.now()),
      newId: (prefix) => nextId(state, prefix),
    });
    if (former === undefined) state.runReviews.add({ id, review, expectedFiles: [] });
    else state.runReviews.edit(id).review = review;
    return { review: presentReview({ review }) };
  });
}
