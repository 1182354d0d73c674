import type { RunReview } from '@hookproof/spec';

import type { DeepReadonly } from '../state/read-only.ts';
import type { ReviewRecord, RunReviewRecord } from '../state/runs.ts';

/** A review in short, as the run view shows it. */
export interface ReviewSummary extends Pick<ReviewRecord, 'verdict' | 'status'> {
  readonly hasNote: boolean;
  readonly correctionCount: number;
}

/** Returns the review of a run as the API shows it; null without a review. */
export function presentReview(
  record: DeepReadonly<RunReviewRecord> | undefined,
): DeepReadonly<RunReview> | null {
  return record?.review ?? null;
}

/** Returns the review of a run in short; null without a review. */
export function summarizeReview(
  record: DeepReadonly<RunReviewRecord> | undefined,
): ReviewSummary | null {
  const review = record?.review ?? null;
  if (review === null) return null;
  const { verdict, status, note, corrections } = review;
  return { verdict, status, hasNote: note !== '', correctionCount: corrections.length };
}

/** Returns the review of a run without one, in the form of the response to clearing it. */
export function emptyReview(): Required<RunReview> {
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
