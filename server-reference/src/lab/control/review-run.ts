import type { ReviewCorrectionWrite, RunReviewWrite } from '../../generated/companions.ts';
import { isoTime } from '../../clock/clock.ts';
import { writeReview } from '../../companions/run-reviews/write-review.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord } from '../../store/runs.ts';
import { nextId } from '../../store/seed.ts';
import type { State } from '../../store/state.ts';

/** The input of {@link reviewRun}. */
interface GivenReview extends Pick<RunReviewWrite, 'verdict' | 'note' | 'correctedOutput'> {
  /** Corrections of fields. The default label is the path. */
  readonly corrections?: readonly Omit<ReviewCorrectionWrite, 'id' | 'kind'>[];
  /** Ordered by path. Their bytes are already stored in the blobs. */
  readonly correctedFiles: readonly StoredFile[];
}

/** Adds the open review of a run, by a user of its tenant. The default verdict is `correct`. */
export function reviewRun(
  state: State,
  now: number,
  run: DeepReadonly<RunRecord>,
  { verdict = 'correct', corrections = [], correctedFiles, ...given }: GivenReview,
): void {
  const reviewer = [...state.users.values()].find(({ tenantId }) => tenantId === run.tenantId);
  const written: RunReviewWrite = {
    ...given,
    verdict,
    status: 'open',
    corrections: corrections.map((one) => ({ ...one, kind: 'field' })),
  };
  const review = writeReview(null, written, {
    userId: reviewer?.id ?? null,
    email: reviewer?.email ?? null,
    at: isoTime(now),
    newId: (prefix) => nextId(state, prefix),
  });
  state.runReviews.add({ id: run.id, review, expectedFiles: [...correctedFiles] });
}
