import type { RunReview } from '@hookproof/spec';

import type { DeepReadonly } from '../../store/read-only.ts';
import type { Handler, Services } from '../services.ts';
import { findRun } from './runs.ts';

/**
 * `DELETE /v1/runs/{id}/reviews`: deletes the review of a run with its corrections and expected files.
 * Idempotent.
 */
export function clearRunReviews({ store }: Services): Handler {
  return async function handle(request): Promise<DeepReadonly<{ review: RunReview }>> {
    return store.commit((state) => {
      state.runReviews.delete(findRun(state, request).id);
      return { review: emptyReview() };
    });
  };
}

/** Returns the review of a run without one, in the form of the response to clearing it. */
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
