import type { RunReview } from '@hookproof/spec';

import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReviewRecord, RunReviewRecord } from '../../store/runs.ts';

/** A review in short, as the run view shows it. */
interface ReviewSummary extends Pick<ReviewRecord, 'verdict' | 'status'> {
  readonly hasNote: boolean;
  readonly correctionCount: number;
}

/** Returns the review of a run as the API shows it; null without a review. */
export function presentReview(
  record: DeepReadonly<Pick<RunReviewRecord, 'review'>> | undefined,
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
