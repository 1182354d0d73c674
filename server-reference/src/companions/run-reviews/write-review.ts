import type { ReviewCorrection } from '@hookproof/spec';

import type { ReviewCorrectionWrite, RunReviewWrite } from '../../generated/companions.ts';
import type { UserId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReviewRecord } from '../../store/runs.ts';

/** Who writes a review, when, and where its ids come from. */
interface ReviewWriter {
  readonly userId: UserId | null;
  readonly email: string | null;
  /** ISO 8601. */
  readonly at: string;
  newId(prefix: 'runreview_' | 'correction_'): string;
}

/**
 * Returns the review after a write. Verdict, status and note are replaced. The corrections and the corrected
 * output stay where `written` has none.
 *
 * @param former - the review so far; null without one
 */
export function writeReview(
  former: DeepReadonly<ReviewRecord> | null,
  written: DeepReadonly<RunReviewWrite>,
  writer: ReviewWriter,
): ReviewRecord {
  const { verdict = null, note, corrections, correctedOutput } = written;
  const status = written.status ?? (verdict === 'correct' ? 'closed' : 'open');
  return {
    id: former?.id ?? writer.newId('runreview_'),
    verdict,
    status,
    note: note ?? '',
    reviewedBy: writer.userId,
    reviewedByEmail: writer.email,
    reviewedAt: writer.at,
    ...closing(former, status, writer),
    createdAt: former?.createdAt ?? writer.at,
    updatedAt: writer.at,
    corrections:
      corrections === undefined
        ? (former?.corrections ?? [])
        : writeCorrections(former?.corrections ?? [], corrections, writer),
    correctedOutput:
      correctedOutput === undefined ? (former?.correctedOutput ?? null) : correctedOutput,
  };
}

type Closing = Pick<ReviewRecord, 'closedBy' | 'closedByEmail' | 'closedAt' | 'closedNote'>;

/** A review that stays in its status keeps who closed it. */
function closing(
  former: DeepReadonly<ReviewRecord> | null,
  status: ReviewRecord['status'],
  writer: ReviewWriter,
): Closing {
  if (status === 'open') {
    return { closedBy: null, closedByEmail: null, closedAt: null, closedNote: null };
  }
  if (former?.status === status) {
    const { closedBy, closedByEmail, closedAt, closedNote } = former;
    return { closedBy, closedByEmail, closedAt, closedNote };
  }
  const { userId, email, at } = writer;
  return { closedBy: userId, closedByEmail: email, closedAt: at, closedNote: null };
}

/** Each known id is used once: a correction that repeats it gets a new one. */
function writeCorrections(
  former: readonly DeepReadonly<ReviewCorrection>[],
  written: readonly DeepReadonly<ReviewCorrectionWrite>[],
  writer: ReviewWriter,
): ReviewCorrection[] {
  const known = new Map(former.map((correction) => [correction.id, correction]));
  return written.map(({ id = '', kind, path, label, note, ...values }) => {
    const earlier = known.get(id);
    known.delete(id);
    const { originalValue = null, correctedValue = null, correctedArtifactPath } = values;
    return {
      id: earlier?.id ?? writer.newId('correction_'),
      kind,
      path,
      label: label ?? path,
      note: note ?? '',
      createdAt: earlier?.createdAt ?? writer.at,
      updatedAt: writer.at,
      originalValue,
      correctedValue,
      ...(correctedArtifactPath == null ? {} : { correctedArtifactPath }),
    };
  });
}
