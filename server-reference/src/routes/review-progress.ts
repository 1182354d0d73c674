import type { ReviewProgress, ReviewProgressDetail } from '@hookproof/spec';

import type { ReviewItemRecord } from '../state/review-request.ts';

/** Counts how far a review has come, in the form that lists report. */
export function reviewProgress(items: readonly ReviewItemRecord[]): ReviewProgress {
  const count = (status: ReviewItemRecord['status']): number =>
    items.filter((item) => item.status === status).length;
  const pending = count('pending');
  return {
    total: items.length,
    pending,
    approved: count('approved'),
    edited: count('edited'),
    removed: count('removed'),
    remaining: pending,
    complete: pending === 0,
  };
}

/** The same in the form of the update, where `removed` is called `rejected`. */
export function reviewProgressDetail(items: readonly ReviewItemRecord[]): ReviewProgressDetail {
  const { removed, ...progress } = reviewProgress(items);
  return { ...progress, rejected: removed };
}
