import { isDeepStrictEqual } from 'node:util';

import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, Inconclusive, NotApplicable } from '../../../verdict/findings.ts';
import { assumeSuccess, expectEqual, expectAllowed, violation } from '../../../check-kit/expect.ts';
import { isRecord, membersOf } from '../../../http/message.ts';
import { moveFirst } from '../operations/automations.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { comparable, updateReview } from '../operations/review-update.ts';
import { readReview, reviewUpdate } from '../operations/reviews.ts';

type Body = Readonly<Record<string, unknown>>;

const COUNTERS = ['total', 'pending', 'approved', 'edited', 'remaining', 'complete'];

/** The detail form that an update returns. */
export const reviewDetailChecks: readonly Check[] = [
  reviewUpdate.check({
    name: 'item-review-id',
    requirements: ['review-update.item.review-id', 'review-update.response.detail'],
    title: 'the detail form, its items and its events are those of the updated review request',
    async run(context) {
      const { body, entry, response } = await update(context);
      for (const name of ['id', 'automationId']) {
        expectEqual(name, body[name], entry[name], response);
      }
      // No update changes them.
      for (const name of ['createdBy', 'exampleNames']) {
        expectEqual(name, comparable(name, body), comparable(name, entry), response);
      }
      for (const one of [...members(body, 'items'), ...members(body, 'events')]) {
        expectEqual('reviewId', one['reviewId'], body['id'], response);
      }
    },
  }),
  reviewUpdate.check({
    name: 'progress-arithmetic',
    requirements: ['review-update.progress.counters', 'states.item.complete-when-none-pending'],
    title: 'the progress of the detail form equals that of the inbox, with rejected for removed',
    async run(context) {
      const { sandbox, body, entry, response } = await update(context);
      const { entry: after } = await readReview(sandbox, String(entry['id']));
      if (!isDeepStrictEqual(countersOf(after), countersOf(entry))) {
        throw new Inconclusive('Cannot judge: the progress changed during the update.');
      }
      const { removed, ...others } = isRecord(entry['progress']) ? entry['progress'] : {};
      const progress = isRecord(body['progress']) ? body['progress'] : {};
      for (const name of COUNTERS.filter((counter) => counter in others)) {
        expectEqual(`progress.${name}`, progress[name], others[name], response);
      }
      expectEqual('progress.rejected', progress['rejected'], removed, response);
      if ('removed' in progress)
        throw violation('no counter removed', 'a counter removed', response);
    },
  }),
  reviewUpdate.check({
    name: 'alias',
    requirements: ['review-update.alias'],
    title: 'an update accepts the alias of the automation in its path',
    needs: ['control', 'fixture.workflowId', 'fixture.workflowSlug', 'fixture.openReviewId'],
    async run(context) {
      const { entry, sandbox } = await update(context);
      // A move returns the automation and its slug, which the alias contains.
      const { slug } = await moveFirst(sandbox, String(entry['automationId']), { folderId: null });
      if (typeof slug !== 'string') throw new NotApplicable('the automation has no slug');
      const response = await updateReview(sandbox, { ...entry, automationId: `workflows.${slug}` });
      expectAllowed(response);
      expectEqual('id', membersOf(response.json)['id'], entry['id'], response);
    },
  }),
];

async function update(context: CheckContext): Promise<{
  sandbox: Awaited<ReturnType<typeof openSandbox>>;
  entry: Body;
  body: Body;
  response: ApiResponse;
}> {
  const sandbox = await openSandbox(context);
  const { entry } = await readReview(sandbox, sandbox.fixture('openReviewId'));
  const response = await updateReview(sandbox, entry);
  assumeSuccess(response);
  return { sandbox, entry, body: membersOf(response.json), response };
}

/** An additional member of the progress may change by itself. */
function countersOf({ progress }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [...COUNTERS, 'removed'].map((name) => (isRecord(progress) ? progress[name] : undefined));
}

function members(body: Body, name: 'items' | 'events'): readonly Body[] {
  const list = body[name];
  if (!Array.isArray(list) || list.length === 0) {
    throw new CouldNotRun(
      `the open review request has no ${name}`,
      `give an openReviewId whose request has ${name}`,
    );
  }
  return list.filter(isRecord);
}
