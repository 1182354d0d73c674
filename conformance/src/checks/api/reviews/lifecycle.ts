import { EDITABLE_REVIEW_STATUSES } from '@hookproof/spec';

import type { Check, CheckContext } from '../../../check-kit/check.ts';
import {
  assumeSuccess,
  expectEqual,
  expectRefusal,
  expectAllowed,
  isRefused,
} from '../../../check-kit/expect.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { isRecord, isSuccess, membersOf } from '../../../http/message.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { fixtureOrNull } from '../operations/files.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { expectUnchanged, updateReview } from '../operations/review-update.ts';
import type { Entry } from '../operations/review-fields.ts';
import { readReview, reviewUpdate } from '../operations/reviews.ts';

/** Updating and closing by status. Closing cannot be undone: it needs its own world. */
export const reviewLifecycleChecks: readonly Check[] = [
  ...EDITABLE_REVIEW_STATUSES.flatMap((status): Check[] => [
    reviewUpdate.check({
      name: `editable-${status}`,
      requirements: [`review-update.editable.${status}`, 'inbox.item.owner'],
      title: `accepts an update of a request in status ${status}`,
      needs: ['key.main', `fixture.${status}ReviewId`],
      async run(context) {
        const sandbox = await openSandbox(context);
        const id = sandbox.fixture(`${status}ReviewId`);
        const { entry } = await readReview(sandbox, id);
        expectAllowed(await updateReview(sandbox, entry));
      },
    }),
    reviewUpdate.check({
      name: `close-${status}`,
      requirements: ['review-update.close'],
      title: `closes a request in status ${status}`,
      needs: ['control', `fixture.${status}ReviewId`],
      async run(context) {
        const sandbox = await openSandbox(context);
        const id = sandbox.fixture(`${status}ReviewId`);
        const { entry } = await readReview(sandbox, id);
        const same = await updateReview(sandbox, entry);
        assumeSuccess(same);
        const updated = await updateReview(sandbox, entry, { status: 'closed' });
        if (isRefused(updated)) {
          const { entry: now } = await readReview(sandbox, id);
          // Reviewers decide at any time, so one reading does not show whether the request was finished.
          if ([entry, membersOf(same.json), now].some(isUnfinished)) {
            await assumeClosesUnfinished(sandbox, updated);
          }
        }
        expectAllowed(updated);
        expectEqual('status', membersOf(updated.json)['status'], 'closed', updated);
        await sandbox.effects.shown(
          () => readReview(sandbox, id),
          ({ entry: after }) =>
            expectEqual('in the inbox, status', after['status'], 'closed', updated),
        );
      },
    }),
  ]),
  reviewUpdate.check({
    name: 'closed',
    requirements: ['states.review.closed-is-final'],
    needs: ['key.main', 'fixture.openReviewId', 'fixture.closedReviewId'],
    title: 'refuses an update of a closed request with a 4xx, and leaves it unchanged',
    run: refusesOfClosed,
  }),
];

/** Whether an example of the request is pending, or it has no example. */
function isUnfinished({ progress }: Entry): boolean {
  return !isRecord(progress) || progress['remaining'] !== 0 || progress['total'] === 0;
}

/** Throws `NotApplicable` unless the API closes some other request that is not finished: it may require that. */
async function assumeClosesUnfinished(sandbox: CheckContext, refused: ApiResponse): Promise<void> {
  for (const status of EDITABLE_REVIEW_STATUSES) {
    const id = fixtureOrNull(sandbox, `${status}ReviewId`);
    if (id === null) continue;
    const { entry } = await readReview(sandbox, id);
    if (!isUnfinished(entry)) continue;
    const closed = await updateReview(sandbox, entry, { status: 'closed' });
    if (isSuccess(closed) && isUnfinished(membersOf(closed.json))) return;
  }
  throw new NotApplicable(
    `the API closes only finished requests: status ${refused.status} for one with pending examples`,
  );
}

/** Two fields change, and the status stays: whether a closed request can be reopened is open. */
async function refusesOfClosed(context: CheckContext): Promise<void> {
  const sandbox = await openSandbox(context);
  const closed = sandbox.fixture('closedReviewId');
  const { entry: before } = await readReview(sandbox, closed);
  const { entry: open } = await readReview(sandbox, sandbox.fixture('openReviewId'));
  assumeSuccess(await updateReview(sandbox, open));
  const updated = await updateReview(sandbox, before, {
    title: 'Changed after it was closed',
    ignoredFields: ['suite.ignored'],
  });
  expectRefusal(updated);
  await expectUnchanged(sandbox, before, () => updated);
}
