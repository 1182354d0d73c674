import {
  editResponse,
  onCall,
  onRequest,
  onResponse,
  editEntries,
  isFields,
  isSuccess,
  recordsIn,
  fieldsOf,
  query,
} from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { editJson, refuse, withJson, withQuery } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';

const INBOX = 'listDatasetReviewRequests';

/** The status filter and the counters of the inbox. */
export const inboxDefects: readonly Defect[] = [
  defect({
    id: 'inbox-refuses-with-422',
    breaks: 'inbox.errors',
    does: 'Invalid parameters of the inbox get 422.',
    api: onResponse(INBOX, (response) => (response.status === 400 ? refuse(422) : response)),
  }),
  defect({
    id: 'status-filter-after-paging',
    breaks: 'inbox.page.disjoint',
    does: 'The status filter is applied to a page that was cut before.',
    api: onCall(INBOX, async ({ request, next }) => {
      const statuses = query(request.url, 'status')?.split(',');
      const response = await next(withQuery(request, 'status', null));
      if (statuses === undefined || !isSuccess(response)) return response;
      const fields = fieldsOf(response);
      const data = recordsIn(fields['data']).filter((entry) =>
        statuses.includes(String(entry['status'])),
      );
      return withJson(response, { ...fields, data });
    }),
  }),
  defect({
    id: 'update-of-every-request',
    breaks: 'review-update.body.title',
    does: 'An update changes the title of every request of the inbox.',
    api: onResponse('every', (response, { operationId, request, key = '', memory }) => {
      const { title } = fieldsOf(request);
      if (operationId === 'updateDatasetReviewRequest' && isSuccess(response)) {
        if (typeof title === 'string') memory.set(key, title);
      }
      const known = memory.get(key);
      if (operationId !== INBOX || known === undefined || !isSuccess(response)) return response;
      return editJson(response, ({ data }) => {
        for (const entry of recordsIn(data)) entry['title'] = known;
      });
    }),
  }),
  defect({
    id: 'update-hides-another-request',
    breaks: 'review-update.body.title',
    does: 'From the second update of a title on, the inbox omits its last request.',
    api: onResponse('every', (response, { operationId, request, key = '', memory }) => {
      if (!isSuccess(response)) return response;
      const updates = Number(memory.get(key) ?? 0);
      if (operationId === 'updateDatasetReviewRequest' && 'title' in fieldsOf(request)) {
        memory.set(key, updates + 1);
      }
      if (operationId !== INBOX || updates < 2) return response;
      return editJson(response, (page) => {
        const entries = recordsIn(page['data']);
        page['data'] = entries.slice(0, -1);
        page['total'] = Number(page['total']) - 1;
      });
    }),
  }),
  defect({
    id: 'status-filter-ignored',
    breaks: 'inbox.status-filter.statuses',
    does: 'The inbox ignores its status filter.',
    api: onRequest(INBOX, (request) => withQuery(request, 'status', null)),
  }),
  defect({
    id: 'status-filter-first-only',
    breaks: 'inbox.status-filter.statuses',
    does: 'The inbox filters by the first of several statuses.',
    api: onRequest(INBOX, (request) => {
      const [first] = (query(request.url, 'status') ?? '').split(',');
      return first === undefined || first === '' ? request : withQuery(request, 'status', first);
    }),
  }),
  defect({
    id: 'status-filter-several-ignored',
    breaks: 'inbox.status-filter.statuses',
    does: 'The inbox ignores a filter with several statuses.',
    api: onRequest(INBOX, (request) =>
      query(request.url, 'status')?.includes(',') === true
        ? withQuery(request, 'status', null)
        : request,
    ),
  }),
  defect({
    id: 'status-filter-without-closed',
    breaks: 'inbox.status-filter.statuses',
    does: 'With a status filter, the inbox omits a closed request.',
    api: entriesWithout((entry, filtered) => filtered && entry['status'] === 'closed', 1),
  }),
  defect({
    id: 'status-filter-not-in-total',
    breaks: 'inbox.page.total',
    does: 'The total of a filtered inbox counts every request.',
    api: onCall(INBOX, async ({ request, next }) => {
      const response = await next(request);
      if (query(request.url, 'status') === null) return response;
      const whole = await next(withQuery(request, 'status', null));
      return isSuccess(response)
        ? withJson(response, { ...fieldsOf(response), total: fieldsOf(whole)['total'] })
        : response;
    }),
  }),
  defect({
    id: 'status-filter-ignores-offset',
    breaks: 'inbox.page.disjoint',
    does: 'A filtered inbox always begins with its first request.',
    api: onRequest(INBOX, (request) =>
      query(request.url, 'status') === null ? request : withQuery(request, 'offset', '0'),
    ),
  }),
  defect({
    id: 'status-filter-repeats-a-request',
    breaks: 'inbox.status-filter.statuses',
    does: 'A filtered inbox lists its last request twice.',
    api: editResponse(INBOX, (page, { request }) => {
      const entries = recordsIn(page['data']);
      if (query(request.url, 'status') === null || entries.length === 0) return;
      page['data'] = [...entries, ...entries.slice(-1)];
      page['total'] = Number(page['total']) + 1;
    }),
  }),
  defect({
    id: 'reviewer-inbox-empty',
    breaks: 'scope.inbox.reviewer',
    does: "The inbox of a reviewer's key is empty.",
    api: reviewerSees(() => false),
  }),
  defect({
    id: 'reviewer-inbox-open-only',
    breaks: 'inbox.list.tenant-wide',
    does: "The inbox of a reviewer's key lists open requests only.",
    api: reviewerSees((entry) => entry['status'] === 'open'),
  }),
  defect({
    id: 'inbox-hides-closed',
    breaks: 'inbox.status-filter.optional',
    does: 'Without a status filter, the inbox omits closed requests.',
    api: entriesWithout((entry, filtered) => !filtered && entry['status'] === 'closed'),
  }),
  defect({
    id: 'remaining-counts-all',
    breaks: 'inbox.progress.remaining',
    does: 'remaining counts all examples.',
    api: editProgress((progress) => (progress['remaining'] = progress['total'])),
  }),
  defect({
    id: 'complete-always',
    breaks: 'inbox.progress.complete',
    does: 'complete is always true.',
    api: editProgress((progress) => (progress['complete'] = true)),
  }),
  defect({
    id: 'complete-when-all-approved',
    breaks: 'inbox.progress.complete',
    does: 'complete is true only when every example is approved.',
    api: editProgress(
      (progress) => (progress['complete'] = progress['approved'] === progress['total']),
    ),
  }),
  defect({
    id: 'automation-name-is-id',
    breaks: 'inbox.item.automation-name',
    does: 'automationName is the id of the automation.',
    api: editEntries(INBOX, 'data', (entry) => (entry['automationName'] = entry['automationId'])),
  }),
  defect({
    id: 'inbox-automation-id-is-name',
    breaks: 'inbox.item.owner',
    does: 'automationId of a listed request is the name of the automation.',
    api: editEntries(INBOX, 'data', (entry) => (entry['automationId'] = entry['automationName'])),
  }),
  defect({
    id: 'inbox-status-201',
    breaks: 'inbox.list.status-200',
    does: 'The inbox responds with 201.',
    api: onResponse(INBOX, (response) =>
      isSuccess(response) ? { ...response, status: 201 } : response,
    ),
  }),
];

/** Omits entries of the inbox for a reviewer's key. */
function reviewerSees(isListed: (entry: Fields) => boolean): Open {
  return editResponse(INBOX, (page, { key, ring }) => {
    if (key === undefined || ring?.['reviewer'] !== key) return;
    const entries = recordsIn(page['data']).filter(isListed);
    page['data'] = entries;
    page['total'] = entries.length;
  });
}

/** Omits entries of the inbox, at most `most`, and counts them out of the total. */
function entriesWithout(isOmitted: (entry: Fields, filtered: boolean) => boolean, most = 100) {
  return onResponse(INBOX, (response, { request }) => {
    if (!isSuccess(response)) return response;
    const fields = fieldsOf(response);
    const entries = recordsIn(fields['data']);
    const filtered = query(request.url, 'status') !== null;
    const omitted = entries.filter((entry) => isOmitted(entry, filtered)).slice(0, most);
    return withJson(response, {
      ...fields,
      data: entries.filter((entry) => !omitted.includes(entry)),
      total: Number(fields['total']) - omitted.length,
    });
  });
}

export function editProgress(edit: (progress: Fields) => unknown): Open {
  return editEntries(INBOX, 'data', ({ progress }) => {
    if (isFields(progress)) edit(progress);
  });
}
