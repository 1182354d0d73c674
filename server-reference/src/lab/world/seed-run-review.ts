import type { RunRecord } from '../../platform/state/runs.ts';
import { storedFiles } from './assets/asset.ts';
import type { RunReviewPlan } from './run-review-plans.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

/** Adds what people have said of a completed run. */
export function seedRunReview(
  seeding: Seeding,
  { reviewer }: SeededTenant,
  run: RunRecord,
  plan: RunReviewPlan,
): void {
  const createdAt = minutesAfter(run.completedAt, 30);
  const isClosed = plan.closedNote !== undefined;
  const closedAt = isClosed ? minutesAfter(run.completedAt, 50) : null;
  seeding.state.runReviews[run.id] = {
    id: run.id,
    review: {
      id: seeding.id('runreview_'),
      verdict: plan.verdict,
      status: isClosed ? 'closed' : 'open',
      note: plan.note,
      reviewedBy: reviewer.id,
      reviewedByEmail: reviewer.email,
      reviewedAt: createdAt,
      closedBy: isClosed ? reviewer.id : null,
      closedByEmail: isClosed ? reviewer.email : null,
      closedAt,
      closedNote: plan.closedNote ?? null,
      createdAt,
      updatedAt: closedAt ?? createdAt,
      corrections: plan.corrections.map(({ kind, path, label, original, corrected, artifact }) => ({
        id: seeding.id('correction_'),
        kind,
        path,
        label,
        note: '',
        createdAt,
        updatedAt: createdAt,
        originalValue: original ?? null,
        correctedValue: corrected ?? null,
        ...(artifact === undefined ? {} : { correctedArtifactPath: artifact }),
      })),
      correctedOutput: plan.correctedOutput ?? null,
    },
    expectedFiles: storedFiles(plan.expectedFiles),
  };
}

function minutesAfter(moment: string | null, minutes: number): string {
  return new Date(Date.parse(moment ?? '') + minutes * 60_000).toISOString();
}
