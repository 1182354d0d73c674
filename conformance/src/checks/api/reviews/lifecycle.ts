import { EDITABLE_REVIEW_STATUSES } from '@hookproof/spec';

import type { Check, CheckContext } from '../../../check-kit/check.ts';
import {
  assumeSuccess,
  expectEqual,
  expectRefusal,
  expectAllowed,
} from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { expectUnchanged, updateReview } from '../operations/review-update.ts';
import { readReview, reviewUpdate } from '../operations/reviews.ts';

const CLOSED_NEEDS: Check['needs'] = ['key.main', 'fixture.openReviewId', 'fixture.closedReviewId'];

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
        const { entry } = await readReview(sandbox, sandbox.key, id);
        expectAllowed(await updateReview(sandbox, entry));
      },
    }),
    reviewUpdate.check({
      name: `close-${status}`,
      requirements: ['review-update.close', 'states.review.close'],
      title: `closes a request in status ${status}`,
      needs: ['control', `fixture.${status}ReviewId`],
      async run(context) {
        const sandbox = await openSandbox(context);
        const id = sandbox.fixture(`${status}ReviewId`);
        const { entry } = await readReview(sandbox, sandbox.key, id);
        assumeSuccess(await updateReview(sandbox, entry));
        const updated = await updateReview(sandbox, entry, { status: 'closed' });
        expectAllowed(updated);
        const body = isRecord(updated.json) ? updated.json : {};
        expectEqual('status', body['status'], 'closed', updated);
        const { entry: after, response } = await readReview(sandbox, sandbox.key, id);
        expectEqual('in the inbox, status', after['status'], 'closed', response);
      },
    }),
  ]),
  reviewUpdate.check({
    name: 'closed-refused',
    requirements: ['review-update.closed.refused', 'states.review.closed-is-final'],
    needs: CLOSED_NEEDS,
    title: 'refuses an update of a closed request with a 4xx',
    async run(context) {
      expectRefusal((await changeClosed(context)).updated);
    },
  }),
  reviewUpdate.check({
    name: 'closed-unchanged',
    requirements: ['review-update.closed.unchanged', 'states.review.closed-is-final'],
    needs: CLOSED_NEEDS,
    title: 'an update of a closed request leaves it unchanged',
    async run(context) {
      const { sandbox, before } = await changeClosed(context);
      await expectUnchanged(sandbox, before);
    },
  }),
];

/** Two fields change, and the status stays: whether a closed request can be reopened is open. */
async function changeClosed(context: CheckContext) {
  const sandbox = await openSandbox(context);
  const closed = sandbox.fixture('closedReviewId');
  const { entry: before } = await readReview(sandbox, sandbox.key, closed);
  const { entry: open } = await readReview(sandbox, sandbox.key, sandbox.fixture('openReviewId'));
  assumeSuccess(await updateReview(sandbox, open));
  const updated = await updateReview(sandbox, before, {
    title: 'Changed after it was closed',
    ignoredFields: ['suite.ignored'],
  });
  return { sandbox, before, updated };
}
