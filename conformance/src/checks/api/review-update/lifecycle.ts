import { EDITABLE_REVIEW_STATUSES } from '@hookproof/spec';

import type { Check, CheckContext } from '../../../check.ts';
import {
  expectControlPasses,
  expectEqual,
  expectRefusal,
  expectAllowed,
  isRecord,
} from '../../expect.ts';
import { openStage, readReview } from '../stage.ts';
import { base } from './base.ts';
import { patchReview } from './patch.ts';

const CLOSED_NEEDS: Check['needs'] = ['key.main', 'fixture.openReviewId', 'fixture.closedReviewId'];

/** Which statuses accept an update, and closing. Closing cannot be undone: it needs a world to spare. */
export const reviewLifecycleChecks: readonly Check[] = [
  ...EDITABLE_REVIEW_STATUSES.flatMap((status): Check[] => [
    {
      ...base(`editable-${status}`, `review-update.editable.${status}`),
      title: `a ${status} request accepts an update`,
      needs: ['key.main', `fixture.${status}ReviewId`],
      async run(context) {
        const stage = await openStage(context);
        const id = stage.fixture(`${status}ReviewId`);
        const { entry } = await readReview(stage, stage.key, id);
        expectAllowed(await patchReview(stage, entry, { title: entry['title'] }));
      },
    },
    {
      ...base(`close-${status}`, 'review-update.close', 'states.review.close'),
      title: `a ${status} request can be closed, and is shown closed`,
      needs: ['control', `fixture.${status}ReviewId`],
      async run(context) {
        const stage = await openStage(context);
        const id = stage.fixture(`${status}ReviewId`);
        const { entry } = await readReview(stage, stage.key, id);
        const answer = await patchReview(stage, entry, { status: 'closed' });
        expectAllowed(answer);
        const body = isRecord(answer.json) ? answer.json : {};
        expectEqual('status', body['status'], 'closed', answer);
        const { entry: after, response } = await readReview(stage, stage.key, id);
        expectEqual('in the inbox, status', after['status'], 'closed', response);
      },
    },
  ]),
  {
    ...base('closed-refused', 'review-update.closed.refused', 'states.review.closed-is-final'),
    needs: CLOSED_NEEDS,
    title: 'a closed request refuses an update with a 4xx',
    async run(context) {
      expectRefusal((await changeClosed(context)).answer);
    },
  },
  {
    ...base('closed-unchanged', 'review-update.closed.unchanged', 'states.review.closed-is-final'),
    needs: CLOSED_NEEDS,
    title: 'an update of a closed request leaves it as it was',
    async run(context) {
      const { stage, before } = await changeClosed(context);
      const { entry, response } = await readReview(stage, stage.key, String(before['id']));
      expectEqual('the request', entry, before, response);
    },
  },
];

async function changeClosed(context: CheckContext) {
  const stage = await openStage(context);
  const { entry: before } = await readReview(stage, stage.key, stage.fixture('closedReviewId'));
  const { entry: open } = await readReview(stage, stage.key, stage.fixture('openReviewId'));
  expectControlPasses(await patchReview(stage, open, { title: open['title'] }));
  const answer = await patchReview(stage, before, { title: 'Changed after it was closed' });
  return { stage, before, answer };
}
