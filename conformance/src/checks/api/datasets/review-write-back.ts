import { EDITABLE_REVIEW_STATUSES } from '@hookproof/spec';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import { assumeSuccess, isRefused } from '../../../check-kit/expect.ts';
import { expectFiles, freshExport } from '../operations/export.ts';
import { updateReview } from '../operations/review-update.ts';
import { readReview } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';

const REVIEWS = EDITABLE_REVIEW_STATUSES.map((status) => `${status}ReviewId` as const);

const reviewUpdate = area('api.review-update', {
  access: 'write',
  needs: [
    'control',
    'fixture.reviewAutomationId',
    ...REVIEWS.map((name) => `fixture.${name}` as const),
  ],
});

/** Reviews never write to their dataset, judged by exports before and after. */
export const reviewWriteBackChecks: readonly Check[] = [
  reviewUpdate.check({
    name: 'edit-leaves-dataset',
    requirements: ['states.review.write-back-manual'],
    title: 'an update of a review request leaves the dataset unchanged',
    run: (context) =>
      expectUnchanged(context, ({ title }) => ({ title: `${String(title)}, again` })),
  }),
  reviewUpdate.check({
    name: 'close-leaves-dataset',
    requirements: ['states.review.close-leaves-dataset', 'states.review.write-back-manual'],
    title: 'closing review requests leaves the dataset unchanged',
    run: (context) => expectUnchanged(context, () => ({ status: 'closed' })),
  }),
];

/** Changes a request in each status that accepts updates. */
async function expectUnchanged(
  context: CheckContext,
  change: (entry: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const sandbox = await openSandbox(context);
  const { api } = sandbox;
  const automation = sandbox.fixture('reviewAutomationId');
  const before = await freshExport(api, { automation });
  if (before.files.size === 0) {
    throw new CouldNotRun(
      'the dataset under review must have files, and has none',
      'return an automation with a dataset as fixtures.reviewAutomationId of the control interface',
    );
  }
  let made: ApiResponse | null = null;
  for (const review of REVIEWS) {
    const { entry } = await readReview(sandbox, sandbox.fixture(review));
    const response = await updateReview(sandbox, entry, change(entry));
    // Which requests can be closed is left open.
    if (isRefused(response) && change(entry)['status'] === 'closed') continue;
    assumeSuccess(response);
    made = response;
  }
  if (made === null) throw new NotApplicable('the API closes none of the review requests');
  const after = await freshExport(api, { automation });
  expectFiles(after.files, before.files, made);
}
