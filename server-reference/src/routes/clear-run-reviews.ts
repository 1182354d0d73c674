import type { RunReview } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import { findRun } from './find-run.ts';

/**
 * `DELETE /v1/runs/{id}/reviews`: the review of a run goes, with its corrections and all its expected
 * files. Once more, or without a review, it is answered the same.
 */
export function clearRunReviews({ store }: Services): Handler {
  return async function handle(request): Promise<{ review: RunReview }> {
    return store.commit((state) => {
      const { id } = findRun(state, request);
      delete state.runReviews[id];
      return { review: emptyReview() };
    });
  };
}

function emptyReview(): Required<RunReview> {
  return {
    id: null,
    verdict: null,
    status: null,
    note: null,
    reviewedBy: null,
    reviewedByEmail: null,
    reviewedAt: null,
    closedBy: null,
    closedByEmail: null,
    closedAt: null,
    closedNote: null,
    createdAt: null,
    updatedAt: null,
    corrections: [],
    correctedOutput: null,
  };
}
