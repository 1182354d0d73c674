import { EDITABLE_REVIEW_STATUSES } from '@hookproof/spec';

import type { Check, CheckContext, Requirements } from '../../../check.ts';
import type { FixtureName } from '../../../facts.ts';
import { CouldNotRun } from '../../../findings.ts';
import { expectControlPasses, show, violation } from '../../expect.ts';
import { differencesOf } from '../export/dataset-files.ts';
import { freshExport } from '../export/download.ts';
import { patchReview } from '../review-update/patch.ts';
import { openStage, readReview } from '../stage.ts';

const REVIEWS = EDITABLE_REVIEW_STATUSES.map((status) => `${status}ReviewId` as const);

/** Reviews of a dataset never write to it; compared are exports before and after. */
export const reviewWriteBackChecks: readonly Check[] = [
  {
    ...base('edit-leaves-dataset', 'states.review.write-back-manual'),
    title: 'an update of a review request leaves the dataset as it was',
    run: (context) =>
      expectUnchanged(context, ({ title }) => ({ title: `${String(title)}, once more` })),
  },
  {
    ...base(
      'close-leaves-dataset',
      'states.review.close-leaves-dataset',
      'states.review.write-back-manual',
    ),
    title: 'closing review requests leaves the dataset as it was',
    run: (context) => expectUnchanged(context, () => ({ status: 'closed' })),
  },
];

/** Makes a change to a request in each status that accepts one. */
async function expectUnchanged(
  context: CheckContext,
  change: (entry: Readonly<Record<string, unknown>>) => object,
): Promise<void> {
  const stage = await openStage(context);
  const { api, key } = stage;
  const automation = stage.fixture('reviewAutomationId');
  const before = await freshExport(api, { automation, key });
  if (before.files.size === 0) {
    throw new CouldNotRun(
      'the dataset under review has no files that could change',
      'let fixtures.reviewAutomationId of the control interface name an automation with a dataset',
    );
  }
  for (const review of REVIEWS) {
    const { entry } = await readReview(stage, key, stage.fixture(review));
    expectControlPasses(await patchReview(stage, entry, change(entry)));
  }
  const after = await freshExport(api, { automation, key });
  const differences = differencesOf(before.files, after.files);
  if (differences.length > 0) {
    throw violation('an unchanged dataset', show(differences), after.response);
  }
}

function base(name: string, ...requirements: Requirements): Omit<Check, 'title' | 'run'> {
  const fixtures: readonly FixtureName[] = ['reviewAutomationId', ...REVIEWS];
  return {
    id: `api.review-update.${name}`,
    requirements,
    side: 'api',
    effect: 'write',
    needs: ['control', ...fixtures.map((fixture) => `fixture.${fixture}` as const)],
  };
}
