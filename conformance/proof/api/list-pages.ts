import type { Outgoing } from '@hookproof/conformance/hooks';

import { editResponse, fieldsOf, onCall, onRequest, query, recordsIn } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { refuse, withQuery } from '../kit/message.ts';

/** The three paged lists. */
const LISTS = [
  { area: 'inbox', operation: 'listDatasetReviewRequests', member: 'data', name: 'The inbox' },
  { area: 'template', operation: 'listTemplates', member: 'items', name: 'The templates list' },
  { area: 'agent', operation: 'listAgents', member: 'data', name: 'The agents list' },
] as const;

type List = (typeof LISTS)[number];

const MAX_OFFSET = '9007199254740991';
const INVALID_LIMITS = new Set(['0', '-1', '101', '1.5', 'abc']);
const INVALID_OFFSETS = new Set(['-1', '1.5', 'abc', '9007199254740992', '9007199254740993']);

/** Pages: bounds of limit and offset, size, echo, total, and the union of several pages. */
export const listPageDefects: readonly Defect[] = [
  ...LISTS.flatMap(boundDefects),
  ...LISTS.flatMap(pageDefects),
  ...LISTS.flatMap(walkDefects),
  ...LISTS.flatMap(endDefects),
  ...LISTS.filter(({ area }) => area !== 'template').flatMap(echoDefects),
];

function boundDefects({ area, operation, name }: List): readonly Defect[] {
  return [
    defect({
      id: `${area}-invalid-limit-accepted`,
      breaks: `${area}.limit.range`,
      does: `${name} takes every invalid limit for 1.`,
      api: onRequest(operation, (request) =>
        INVALID_LIMITS.has(query(request.url, 'limit') ?? '')
          ? withQuery(request, 'limit', '1')
          : request,
      ),
    }),
    defect({
      id: `${area}-without-a-page-refused`,
      breaks: `${area}.page.optional`,
      does: `${name} refuses a request without limit.`,
      api: onRequest(operation, (request) =>
        query(request.url, 'limit') === null ? refuse(400) : request,
      ),
    }),
    defect({
      id: `${area}-limit-with-a-tail-accepted`,
      breaks: `${area}.limit.range`,
      does: `${name} takes limit=5x for 5.`,
      api: onRequest(operation, (request) =>
        query(request.url, 'limit') === '5x' ? withQuery(request, 'limit', '5') : request,
      ),
    }),
    defect({
      id: `${area}-limit-100-refused`,
      breaks: `${area}.limit.range`,
      does: `${name} refuses limit=100.`,
      api: onRequest(operation, (request) =>
        query(request.url, 'limit') === '100' ? refuse(400) : request,
      ),
    }),
    defect({
      id: `${area}-invalid-offset-accepted`,
      breaks: `${area}.offset.range`,
      does: `${name} takes every invalid offset for 1.`,
      api: onRequest(operation, (request) =>
        INVALID_OFFSETS.has(query(request.url, 'offset') ?? '')
          ? withQuery(request, 'offset', '1')
          : request,
      ),
    }),
    defect({
      id: `${area}-largest-offset-refused`,
      breaks: `${area}.offset.range`,
      does: `${name} refuses offset=${MAX_OFFSET}.`,
      api: onRequest(operation, (request) =>
        query(request.url, 'offset') === MAX_OFFSET ? refuse(400) : request,
      ),
    }),
  ];
}

function pageDefects({ area, operation, member, name }: List): readonly Defect[] {
  return [
    defect({
      id: `${area}-page-too-long`,
      breaks: `${area}.page.size`,
      does: `${name} returns one entry more than its limit.`,
      api: onRequest(operation, (request) => {
        const limit = Number(query(request.url, 'limit'));
        const isConcerned = limit >= 1 && limit < 100;
        return isConcerned ? withQuery(request, 'limit', String(limit + 1)) : request;
      }),
    }),
    defect({
      id: `${area}-total-of-the-page`,
      breaks: `${area}.page.total`,
      does: `${name} has the number of entries of the page as total.`,
      api: editResponse(operation, (page) => (page['total'] = recordsIn(page[member]).length)),
    }),
    defect({
      id: `${area}-entries-under-results`,
      breaks: `${area}.item.fields`,
      does: `${name} has its entries as results.`,
      api: editResponse(operation, (page) => {
        page['results'] = page[member];
        delete page[member];
      }),
    }),
  ];
}

function endDefects({ area, operation, member, name }: List): readonly Defect[] {
  return [
    defect({
      id: `${area}-last-entry-missing-from-full-page`,
      breaks: `${area}.page.disjoint`,
      does: `${name} omits the last entry of a page that ends with the list.`,
      api: editResponse(operation, (page, { request }) => {
        const entries = recordsIn(page[member]);
        const isFull = Number(query(request.url, 'limit')) === entries.length;
        const isLast = Number(query(request.url, 'offset')) + entries.length === page['total'];
        if (isFull && isLast && entries.length > 1) page[member] = entries.slice(0, -1);
      }),
    }),
    defect({
      id: `${area}-last-page-filled-up`,
      breaks: `${area}.page.disjoint`,
      does: `${name} fills its last page with entries of the page before.`,
      api: onCall(operation, async ({ request, next }) => {
        const response = await next(request);
        const limit = Number(query(request.url, 'limit'));
        const { total, [member]: entries } = fieldsOf(response);
        const isShort = recordsIn(entries).length < limit && Number(total) >= limit;
        if (!isShort || recordsIn(entries).length === 0) return response;
        return next(withQuery(request, 'offset', String(Number(total) - limit)));
      }),
    }),
    defect({
      id: `${area}-begins-again-after-its-end`,
      breaks: `${area}.page.disjoint`,
      does: `${name} begins again when the offset is the number of entries.`,
      api: onCall(operation, async ({ request, next }) => {
        const response = await next(request);
        const offset = query(request.url, 'offset');
        const isAfterEnd = offset !== '0' && offset === String(fieldsOf(response)['total']);
        return isAfterEnd ? next(withQuery(request, 'offset', '0')) : response;
      }),
    }),
    defect({
      id: `${area}-total-zero-on-empty-page`,
      breaks: `${area}.page.total`,
      does: `${name} has the total 0 on an empty page.`,
      api: editResponse(operation, (page) => {
        if (recordsIn(page[member]).length === 0) page['total'] = 0;
      }),
    }),
  ];
}

function walkDefects({ area, operation, name }: List): readonly Defect[] {
  const breaks = `${area}.page.disjoint`;
  return [
    defect({
      id: `${area}-pages-overlap`,
      breaks,
      does: `${name} begins a page with the last entry of the previous page.`,
      api: onRequest(operation, (request) => shifted(request, -1)),
    }),
    defect({
      id: `${area}-pages-skip-an-entry`,
      breaks,
      does: `${name} skips the first entry after the previous page.`,
      api: onRequest(operation, (request) => shifted(request, 1)),
    }),
  ];
}

function echoDefects({ area, operation, name }: List): readonly Defect[] {
  return [
    defect({
      id: `${area}-limit-echo-of-default`,
      breaks: `${area}.page.echo`,
      does: `${name} always names the default limit.`,
      api: editResponse(operation, (page) => (page['limit'] = 50)),
    }),
    defect({
      id: `${area}-offset-echo-of-zero`,
      breaks: `${area}.page.echo`,
      does: `${name} always names the offset 0.`,
      api: editResponse(operation, (page) => (page['offset'] = 0)),
    }),
    defect({
      id: `${area}-offset-echo-of-end`,
      breaks: `${area}.page.echo`,
      does: `${name} names its total as the offset of a page after its end.`,
      api: editResponse(operation, (page) => {
        page['offset'] = Math.min(Number(page['offset']), Number(page['total']));
      }),
    }),
  ];
}

function shifted(request: Outgoing, by: number): Outgoing {
  const offset = Number(query(request.url, 'offset'));
  return offset > 0 && offset < 1_000 ? withQuery(request, 'offset', String(offset + by)) : request;
}
