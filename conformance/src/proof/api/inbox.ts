import { isRecord } from '../../http/message.ts';
import { withJson, withQuery } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import {
  asking,
  defect,
  during,
  editingEach,
  fieldsOf,
  isSuccess,
  query,
  recordsIn,
} from './exchange.ts';

const INBOX = 'listDatasetReviewRequests';
const STATUSES = ['draft', 'open', 'paused', 'closed'] as const;

/** The status filter and the counters of the inbox. */
export const inboxDefects: readonly Defect[] = [
  defect(
    'status-filter-ignored',
    'inbox.status-filter.one',
    'The inbox ignores its status filter.',
    asking(INBOX, (request) => withQuery(request, 'status', null)),
  ),
  defect(
    'status-filter-first-only',
    'inbox.status-filter.several',
    'Of several statuses in the filter, the inbox heeds the first.',
    asking(INBOX, (request) => {
      const [first] = (query(request.url, 'status') ?? '').split(',');
      return first === undefined || first === '' ? request : withQuery(request, 'status', first);
    }),
  ),
  defect(
    'status-filter-several-ignored',
    'inbox.status-filter.several',
    'The inbox ignores a filter with several statuses.',
    asking(INBOX, (request) =>
      query(request.url, 'status')?.includes(',') === true
        ? withQuery(request, 'status', null)
        : request,
    ),
  ),
  defect(
    'status-filter-inverted',
    'inbox.status-filter.one',
    'The inbox lists the requests that are not in the status of the filter.',
    asking(INBOX, (request) => {
      const status = query(request.url, 'status');
      const others = STATUSES.filter((one) => one !== status);
      return status === null || status.includes(',')
        ? request
        : withQuery(request, 'status', others.join(','));
    }),
  ),
  ...STATUSES.map((status) =>
    defect(
      `status-filter-without-${status}`,
      'inbox.status-filter.one',
      `With a status filter, the inbox omits a request in status ${status}.`,
      entriesWithout((entry, filtered) => filtered && entry['status'] === status, 1),
    ),
  ),
  ...STATUSES.map((status) =>
    defect(
      `inbox-hides-${status}`,
      'inbox.status-filter.optional',
      `Without a status filter, the inbox omits requests in status ${status}.`,
      entriesWithout((entry, filtered) => !filtered && entry['status'] === status),
    ),
  ),
  progress(
    'remaining-counts-all',
    'remaining',
    'remaining counts all examples.',
    (one) => one['total'],
  ),
  progress('remaining-zero', 'remaining', 'remaining is always 0.', () => 0),
  progress('complete-always', 'complete', 'complete is always true.', () => true),
  progress('complete-never', 'complete', 'complete is always false.', () => false),
  progress(
    'complete-when-all-approved',
    'complete',
    'complete is true only when every example is approved.',
    (one) => one['approved'] === one['total'],
  ),
  progress(
    'complete-inverted',
    'complete',
    'complete is the opposite of what it says.',
    (one) => one['complete'] !== true,
  ),
  defect(
    'automation-name-is-id',
    'inbox.item.automation-name',
    'automationName is the id of the automation.',
    editingEach(INBOX, 'data', (entry) => (entry['automationName'] = entry['automationId'])),
  ),
  defect(
    'automation-name-of-another',
    'inbox.item.automation-name',
    'automationName is the title of the request.',
    editingEach(INBOX, 'data', (entry) => (entry['automationName'] = entry['title'])),
  ),
  defect(
    'inbox-automation-id-is-name',
    'inbox.item.owner',
    'automationId of a listed request is the name of the automation.',
    editingEach(INBOX, 'data', (entry) => (entry['automationId'] = entry['automationName'])),
  ),
  defect(
    'inbox-status-201',
    'inbox.list.status-200',
    'The inbox responds with 201.',
    during(INBOX, async ({ request, next }) => {
      const response = await next(request);
      return isSuccess(response) ? { ...response, status: 201 } : response;
    }),
  ),
];

/** Omits entries of the inbox, at most `most`, and counts them out of the total. */
function entriesWithout(isOmitted: (entry: Fields, filtered: boolean) => boolean, most = 100) {
  return during(INBOX, async ({ request, next }) => {
    const response = await next(request);
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

function progress(
  id: string,
  name: 'remaining' | 'complete',
  does: string,
  value: (progress: Readonly<Record<string, unknown>>) => unknown,
): Defect {
  return defect(
    id,
    `inbox.progress.${name}`,
    does,
    editingEach(INBOX, 'data', (entry) => {
      const counters = entry['progress'];
      if (isRecord(counters)) entry['progress'] = { ...counters, [name]: value(counters) };
    }),
  );
}
