import type { ReviewCorrection } from '@hookproof/spec';

import type { StoredFile } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import type { State } from '../state/state.ts';
import { nextId } from '../store/seed.ts';

type GivenCorrection = Readonly<
  Omit<Partial<ReviewCorrection>, 'id' | 'kind' | 'createdAt' | 'updatedAt'> & { path: string }
>;

/** The input of {@link reviewRun}. */
export interface GivenReview {
  /** Default `correct`. */
  readonly verdict?: string;
  /** Default empty. */
  readonly note?: string;
  /** Corrections of fields. The default label is the path. */
  readonly corrections?: readonly GivenCorrection[];
  /** Default null. */
  readonly correctedOutput?: unknown;
  /** Ordered by path. Their bytes are already stored in the blobs. */
  readonly correctedFiles: readonly StoredFile[];
}

/** Adds the review of a run, by a user of its tenant. */
export function reviewRun(
  state: State,
  now: number,
  run: DeepReadonly<RunRecord>,
  given: GivenReview,
): void {
  const at = new Date(now).toISOString();
  const reviewer = Object.values(state.users).find(({ tenantId }) => tenantId === run.tenantId);
  state.runReviews[run.id] = {
    id: run.id,
    review: {
      id: nextId(state, 'runreview_'),
      verdict: given.verdict ?? 'correct',
      status: 'open',
      note: given.note ?? '',
      reviewedBy: reviewer?.id ?? null,
      reviewedByEmail: reviewer?.email ?? null,
      reviewedAt: at,
      closedBy: null,
      closedByEmail: null,
      closedAt: null,
      closedNote: null,
      createdAt: at,
      updatedAt: at,
      corrections: (given.corrections ?? []).map((one) =>
        correctionRecord(nextId(state, 'correction_'), at, one),
      ),
      correctedOutput: given.correctedOutput ?? null,
    },
    expectedFiles: [...given.correctedFiles],
  };
}

function correctionRecord(
  id: string,
  at: string,
  { path, label, note, originalValue, correctedValue, ...artifact }: GivenCorrection,
): ReviewCorrection {
  return {
    id,
    kind: 'field',
    path,
    label: label ?? path,
    note: note ?? '',
    createdAt: at,
    updatedAt: at,
    originalValue: originalValue ?? null,
    correctedValue: correctedValue ?? null,
    ...artifact,
  };
}
