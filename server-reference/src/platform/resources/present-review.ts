import type { ReviewCorrection, RunReview } from '@hookproof/spec';

import { largeBytesOf, valueOf } from '../state/large-value.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReviewRecord, RunReviewRecord } from '../state/runs.ts';

/** A review in short, as the run view shows it. */
export interface ReviewSummary extends Pick<ReviewRecord, 'verdict' | 'status'> {
  readonly hasNote: boolean;
  readonly correctionCount: number;
}

/** Returns the review of a run as the API shows it; null without a review. */
export function presentReview(
  record: DeepReadonly<Pick<RunReviewRecord, 'review'>> | undefined,
): DeepReadonly<RunReview> | null {
  const review = record?.review ?? null;
  if (review === null) return null;
  return {
    ...review,
    note: String(review.note),
    corrections: correctionsOf(review),
    correctedOutput: valueOf(review.correctedOutput),
  };
}

type Corrections = readonly DeepReadonly<ReviewCorrection>[];

/** Returns the corrections of a review. */
export function correctionsOf({ corrections }: DeepReadonly<ReviewRecord>): Corrections {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only lists of corrections are kept there
  return valueOf(corrections) as Corrections;
}

/** Returns whether a review has corrections. A large list is not read: it is not empty. */
export function hasCorrections(review: DeepReadonly<ReviewRecord>): boolean {
  return largeBytesOf(review.corrections) > 0 || correctionsOf(review).length > 0;
}

/** Returns the review of a run in short; null without a review. */
export function summarizeReview(
  record: DeepReadonly<RunReviewRecord> | undefined,
): ReviewSummary | null {
  const review = record?.review ?? null;
  if (review === null) return null;
  const { verdict, status, note } = review;
  const hasNote = largeBytesOf(note) > 0 || String(note) !== '';
  return { verdict, status, hasNote, correctionCount: correctionsOf(review).length };
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
