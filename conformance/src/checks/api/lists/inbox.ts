import { REVIEW_STATUSES } from '@hookproof/spec';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { expectEqual, violation } from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { comparePages } from '../operations/compare-pages.ts';
import { firstPage, INBOX, needEntries } from '../operations/lists.ts';
import type { Page } from '../operations/lists.ts';

const inbox = area('api.inbox', { access: 'read', needs: ['key.main'] });

/** The entries of the inbox, its status filter and its progress counters. */
export const inboxChecks: readonly Check[] = [
  inbox.check({
    name: 'known-requests-listed',
    requirements: ['inbox.list.tenant-wide', 'inbox.status-filter.optional'],
    title: 'without a status filter, the inbox lists requests in every status',
    needs: [
      'key.main',
      'fixture.draftReviewId',
      'fixture.openReviewId',
      'fixture.pausedReviewId',
      'fixture.closedReviewId',
    ],
    async run(context) {
      const page = await firstPage(context, INBOX);
      if (page.total > page.entries.length) throw tooLong();
      for (const status of REVIEW_STATUSES) {
        const id = context.fixture(`${status}ReviewId`);
        if (!page.ids.includes(id)) {
          throw violation(
            `the ${status} request ${id} in the inbox`,
            'the inbox does not list it',
            page.response,
          );
        }
      }
    },
  }),
  inbox.check({
    name: 'status-filter-one',
    requirements: ['inbox.status-filter.one'],
    title: 'a filter with one status lists exactly the requests in that status',
    async run(context) {
      for (const status of REVIEW_STATUSES) await expectFiltered(context, [status]);
    },
  }),
  inbox.check({
    name: 'status-filter-several',
    requirements: ['inbox.status-filter.several'],
    title: 'a filter with several statuses lists exactly the requests in any of them',
    async run(context) {
      await expectFiltered(context, ['open', 'paused']);
      await expectFiltered(context, ['draft', 'open', 'closed']);
    },
  }),
  inbox.check({
    name: 'progress-remaining',
    requirements: ['inbox.progress.remaining'],
    title: 'remaining equals pending in the progress of each request',
    run: (context) =>
      eachProgress(context, (progress, page) => {
        expectEqual('remaining', progress['remaining'], progress['pending'], page.response);
      }),
  }),
  inbox.check({
    name: 'progress-complete',
    requirements: ['inbox.progress.complete', 'states.item.complete-when-none-pending'],
    title: 'complete is true exactly when every example is approved, edited or removed',
    run: (context) =>
      eachProgress(context, (progress, page) => {
        const complete = completeOf(progress);
        if (complete !== null)
          expectEqual('complete', progress['complete'], complete, page.response);
      }),
  }),
];

/** A filter selects by the status that each request has in the same page, or in the inbox without a filter. */
function expectFiltered(context: CheckContext, statuses: readonly string[]): Promise<void> {
  return comparePages(context, INBOX, async (read) => {
    const all = await read();
    needEntries(INBOX, all, 1);
    const filtered = await read({ status: statuses.join(',') });
    const stranger = filtered.entries.find((entry) => !statuses.includes(String(entry['status'])));
    if (stranger !== undefined) {
      const actual = `a request in ${String(stranger['status'])}`;
      throw violation(`only requests in ${statuses.join(' or ')}`, actual, filtered.response);
    }
    if (filtered.total > filtered.entries.length) return;
    const missing = all.entries.find(
      ({ id, status }) => statuses.includes(String(status)) && !filtered.ids.includes(String(id)),
    );
    if (missing === undefined) return;
    const expected = `${String(missing['id'])}, whose status is ${String(missing['status'])}`;
    throw violation(expected, 'the inbox does not list it', filtered.response);
  });
}

async function eachProgress(
  context: CheckContext,
  judge: (progress: Readonly<Record<string, unknown>>, page: Page) => void,
): Promise<void> {
  const page = await firstPage(context, INBOX);
  needEntries(INBOX, page, 1);
  for (const { progress } of page.entries) if (isRecord(progress)) judge(progress, page);
}

/**
 * Whether `complete` must be true or false; null when it is open. An empty request may be incomplete, and examples in
 * statuses without a counter may count as undecided.
 */
function completeOf({
  total,
  pending,
  approved,
  edited,
  removed,
}: Readonly<Record<string, unknown>>) {
  if (typeof pending === 'number' && pending > 0) return false;
  const decided = Number(approved) + Number(edited) + Number(removed);
  return total !== 0 && decided === total ? true : null;
}

function tooLong(): CouldNotRun {
  return new CouldNotRun(
    'the inbox must fit on one page of 100 requests, got more',
    'use a key of a tenant with at most 100 review requests',
  );
}
