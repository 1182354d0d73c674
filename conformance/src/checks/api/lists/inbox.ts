import { REVIEW_STATUSES } from '@hookproof/spec';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import {
  assumeSuccess,
  expectEqual,
  expectStatus,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { isRecord } from '../../../http/message.ts';
import { comparePages } from '../operations/compare-pages.ts';
import { firstPage, INBOX, needEntries, readPage } from '../operations/lists.ts';
import type { ReadPage } from '../operations/compare-pages.ts';
import type { Page } from '../operations/lists.ts';

const ALL = REVIEW_STATUSES.join(',');

const FILTERS = [...REVIEW_STATUSES, 'open,paused', 'draft,open,closed'];

const inbox = area('api.inbox', { access: 'read', needs: ['key.main'] });

/** The entries of the inbox, its status filter and its progress counters. */
export const inboxChecks: readonly Check[] = [
  inbox.check({
    name: 'status-200',
    requirements: ['inbox.list.status-200', 'versioning.wire.base-address'],
    title: 'responds with 200 to a request for the inbox',
    async run({ api }) {
      expectStatus(await api.sample({ path: INBOX.path, query: { limit: 100, offset: 0 } }), 200);
    },
  }),
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
    name: 'status-filter',
    requirements: ['inbox.status-filter.statuses'],
    title: 'a filter with one or several statuses lists exactly the requests in any of them',
    run: (context) =>
      judgeEach(
        FILTERS,
        (status) => `status=${status}`,
        (status) => expectFiltered(context, status.split(',')),
      ),
  }),
  inbox.check({
    name: 'status-filter-pages',
    requirements: ['inbox.page.disjoint', 'inbox.page.total'],
    title:
      'pages of a filtered inbox share no request, together contain every match, and count the matches',
    run: (context) =>
      judgeEach(
        [ALL, ...REVIEW_STATUSES],
        (status) => `status=${status}`,
        (status) => comparePages(context, INBOX, (read) => expectPages(status, read)),
      ),
  }),
  inbox.check({
    name: 'reviewer-sees-all',
    requirements: ['scope.inbox.reviewer', 'inbox.list.tenant-wide'],
    title: "the inbox of a reviewer's key lists the requests of its whole tenant",
    needs: ['key.main', 'key.reviewer'],
    run: (context) =>
      comparePages(context, INBOX, async (read) => {
        const all = await read();
        needEntries(INBOX, all, 1);
        await assumeSameTenant(context);
        const query = { limit: 100, offset: 0 };
        const response = await context.api.send({ path: INBOX.path, query, key: 'reviewer' });
        assumeSuccess(response);
        const { ids, entries, total } = readPage(INBOX, response);
        if (total > entries.length) throw tooLong();
        const missing = all.ids.find((id) => !ids.includes(id));
        if (missing === undefined) return;
        const actual = `${ids.length} requests without it`;
        throw violation(`the request ${missing} in the inbox`, actual, response);
      }),
  }),
  inbox.check({
    name: 'progress-remaining',
    requirements: ['inbox.progress.remaining'],
    title: 'remaining counts the pending examples of each request, and none with a decision',
    run: (context) =>
      eachProgress(context, (progress, page) => {
        const { least, most } = undecidedOf(progress);
        const remaining = Number(progress['remaining']);
        if (remaining >= least && remaining <= most) return;
        const range = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
        const expected = `remaining ${least === most ? least : range}`;
        throw violation(expected, show(progress), page.response);
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

const MAX_PAGES_OF_ONE = 3;

/** The pages of a filtered inbox contain what the filter lists on one page, and nothing twice. */
async function expectPages(status: string, read: ReadPage): Promise<void> {
  const whole = await read({ status });
  if (whole.entries.length < 100) {
    expectEqual('total', whole.total, whole.entries.length, whole.response);
  }
  if (status === ALL) {
    needEntries(INBOX, whole, 2);
    const limit = Math.ceil(whole.entries.length / 2);
    const first = await read({ status, limit, offset: 0 });
    const second = await read({ status, limit, offset: limit });
    const walked = [...first.ids, ...second.ids].toSorted();
    expectEqual('the ids of both pages', walked, whole.ids.toSorted(), second.response);
    return;
  }
  // A filter that leaves out most must not be applied to a page that was cut before.
  const count = Math.min(whole.ids.length, MAX_PAGES_OF_ONE);
  for (let offset = 0; offset < count; offset += 1) {
    const { ids, response } = await read({ status, limit: 1, offset });
    expectEqual('requests on a page of one', ids.length, 1, response);
  }
}

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
    const invented = filtered.ids.find((id) => !all.ids.includes(id));
    if (all.total <= all.entries.length && invented !== undefined) {
      const actual = `${invented}, which the inbox without a filter does not list`;
      throw violation('only requests of the inbox', actual, filtered.response);
    }
    if (new Set(filtered.ids).size < filtered.ids.length) {
      throw violation('each request once', show(filtered.ids), filtered.response);
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

/** A key belongs to one tenant. Without the identity of both, the fixtures are believed. */
async function assumeSameTenant({ api }: CheckContext): Promise<void> {
  const [own, other] = await Promise.all(
    (['main', 'reviewer'] as const).map((key) => api.sample({ path: '/v1/auth/check', key })),
  );
  const tenants = [own, other].map((response) => Object(response?.json)['tenantId']);
  if (tenants.every((id) => typeof id === 'string') && tenants[0] !== tenants[1]) {
    throw new CouldNotRun(
      'the reviewer key must belong to the tenant of the main key, but names another tenantId',
      'give a reviewer key of the same tenant',
    );
  }
}

type Progress = Readonly<Record<string, unknown>>;

async function eachProgress(
  context: CheckContext,
  judge: (progress: Progress, page: Page) => void,
): Promise<void> {
  const page = await firstPage(context, INBOX);
  needEntries(INBOX, page, 1);
  for (const { progress } of page.entries) if (isRecord(progress)) judge(progress, page);
}

/**
 * The examples in `pending` have no decision, those with the other counters have one, and examples in statuses without a
 * counter may have one or not. `total` may leave out some of them.
 */
function undecidedOf({ total, pending, approved, edited, removed }: Progress) {
  const least = Number(pending);
  const others = Number(total) - Number(approved) - Number(edited) - Number(removed);
  return { least, most: others < least ? Infinity : others };
}

/**
 * Whether `complete` must be true or false; null when it is open. An empty request may be incomplete, and examples in
 * statuses without a counter may count as undecided.
 */
function completeOf({ total, pending, approved, edited, removed }: Progress): boolean | null {
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
