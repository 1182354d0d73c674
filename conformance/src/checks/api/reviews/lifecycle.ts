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
import { patchReview, readReview, reviewUpdate } from '../operations/reviews.ts';

const CLOSED_NEEDS: Check['needs'] = ['key.main', 'fixture.openReviewId', 'fixture.closedReviewId'];

/** Updating and closing by status. Closing cannot be undone: it needs its own world. */
export const reviewLifecycleChecks: readonly Check[] = [
  ...EDITABLE_REVIEW_STATUSES.flatMap((status): Check[] => [
    reviewUpdate.check({
      name: `editable-${status}`,
      requirements: [`review-update.editable.${status}`],
      title: `accepts an update of a request in status ${status}`,
      needs: ['key.main', `fixture.${status}ReviewId`],
      async run(context) {
        const sandbox = await openSandbox(context);
        const id = sandbox.fixture(`${status}ReviewId`);
        const { entry } = await readReview(sandbox, sandbox.key, id);
        expectAllowed(await patchReview(sandbox, entry, { title: entry['title'] }));
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
        const updated = await patchReview(sandbox, entry, { status: 'closed' });
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
      const { entry, response } = await readReview(sandbox, sandbox.key, String(before['id']));
      expectEqual('the request', entry, before, response);
    },
  }),
];

async function changeClosed(context: CheckContext) {
  const sandbox = await openSandbox(context);
  const { entry: before } = await readReview(
    sandbox,
    sandbox.key,
    sandbox.fixture('closedReviewId'),
  );
  const { entry: open } = await readReview(sandbox, sandbox.key, sandbox.fixture('openReviewId'));
  assumeSuccess(await patchReview(sandbox, open, { title: open['title'] }));
  const updated = await patchReview(sandbox, before, { title: 'Changed after it was closed' });
  return { sandbox, before, updated };
}
