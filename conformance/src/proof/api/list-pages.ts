import type { Outgoing } from '../../http/message.ts';
import { jsonOf, refuse, withJson, withQuery } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import {
  asking,
  defect,
  during,
  editing,
  fieldsOf,
  isSuccess,
  query,
  recordsIn,
} from './exchange.ts';

/** The three paged lists. */
export const LISTS = [
  { area: 'inbox', operation: 'listDatasetReviewRequests', member: 'data', title: 'the inbox' },
  { area: 'template', operation: 'listTemplates', member: 'items', title: 'the templates list' },
  { area: 'agent', operation: 'listAgents', member: 'data', title: 'the agents list' },
] as const;

type List = (typeof LISTS)[number];

/** Values that every list must refuse. */
const REFUSED = {
  limit: { zero: ['0'], negative: ['-1'], 'above-100': ['101'], fraction: ['1.5'], word: ['abc'] },
  offset: {
    negative: ['-1'],
    fraction: ['1.5'],
    'above-maximum': ['9007199254740992', '9007199254740993'],
    word: ['abc'],
  },
} as const;

/** Pages: bounds of limit and offset, size, echo, total, and the union of several pages. */
export const listPageDefects: readonly Defect[] = LISTS.flatMap((list) =>
  [
    boundDefects(list),
    pageDefects(list),
    walkDefects(list),
    list.area === 'template' ? [] : echoDefects(list),
  ].flat(),
);

function boundDefects({ area, operation, title }: List): Defect[] {
  return (['limit', 'offset'] as const).flatMap((name) =>
    Object.entries(REFUSED[name]).map(([word, values]: [string, readonly string[]]) =>
      defect(
        `${area}-${name}-${word}-accepted`,
        `${area}.${name}.range`,
        `${name}=${values[0] ?? ''} of ${title} counts as 1.`,
        asking(operation, (request) =>
          values.includes(query(request.url, name) ?? '') ? withQuery(request, name, '1') : request,
        ),
      ),
    ),
  );
}

function pageDefects({ area, operation, member, title }: List): Defect[] {
  const refusing = (name: string, value: string): Defect =>
    defect(
      `${area}-${name}-${value}-refused`,
      `${area}.${name}.range`,
      `${name}=${value} of ${title} gets 400.`,
      during(operation, ({ request, next }) =>
        query(request.url, name) === value ? refuse(400) : next(request),
      ),
    );
  return [
    refusing('limit', '100'),
    refusing('offset', '9007199254740991'),
    defect(
      `${area}-page-too-long`,
      `${area}.page.size`,
      `A page of ${title} has one entry more than its limit.`,
      asking(operation, (request) => moreOf(request)),
    ),
    defect(
      `${area}-limit-ignored`,
      `${area}.page.size`,
      `${title} ignores limit.`,
      asking(operation, (request) => {
        const limit = Number(query(request.url, 'limit'));
        return limit >= 1 && limit <= 100 ? withQuery(request, 'limit', '100') : request;
      }),
    ),
    defect(
      `${area}-total-of-the-page`,
      `${area}.page.total`,
      `total of ${title} counts the entries of the page.`,
      editing(operation, (fields) => (fields['total'] = recordsIn(fields[member]).length)),
    ),
    defect(
      `${area}-total-too-high`,
      `${area}.page.total`,
      `total of ${title} is one too high.`,
      editing(operation, (fields) => (fields['total'] = Number(fields['total']) + 1)),
    ),
    defect(
      `${area}-total-as-text`,
      `${area}.page.fields`,
      `total of ${title} is a string.`,
      editing(operation, (fields) => (fields['total'] = String(fields['total']))),
    ),
    defect(
      `${area}-entries-under-results`,
      `${area}.page.fields`,
      `A page of ${title} has its entries as results.`,
      editing(operation, (fields) => {
        fields['results'] = fields[member];
        delete fields[member];
      }),
    ),
  ];
}

function walkDefects({ area, operation, member, title }: List): Defect[] {
  const breaks = `${area}.page.disjoint`;
  return [
    defect(
      `${area}-pages-overlap`,
      breaks,
      `A page of ${title} begins with the last entry of the previous page.`,
      asking(operation, (request) => shifted(request, -1)),
    ),
    defect(
      `${area}-pages-skip-an-entry`,
      breaks,
      `A page of ${title} skips the first entry after the previous page.`,
      asking(operation, (request) => shifted(request, 1)),
    ),
    defect(
      `${area}-offset-ignored`,
      breaks,
      `${title} ignores offset.`,
      asking(operation, (request) => {
        const offset = Number(query(request.url, 'offset'));
        return offset > 0 && offset < 1_000 ? withQuery(request, 'offset', '0') : request;
      }),
    ),
    defect(
      `${area}-pages-lose-their-last-entry`,
      breaks,
      `Every page of ${title} but the first lacks its last entry.`,
      during(operation, async ({ request, next }) => {
        const response = await next(request);
        const fields = fieldsOf(response);
        const entries = recordsIn(fields[member]);
        const isFirst = Number(query(request.url, 'offset') ?? 0) === 0;
        if (!isSuccess(response) || isFirst || jsonOf(response) === undefined) return response;
        return withJson(response, { ...fields, [member]: entries.slice(0, -1) });
      }),
    ),
  ];
}

function echoDefects({ area, operation, title }: List): Defect[] {
  return [
    defect(
      `${area}-limit-echo-of-default`,
      `${area}.page.limit-echo`,
      `A page of ${title} names the default limit.`,
      editing(operation, (fields) => (fields['limit'] = 50)),
    ),
    defect(
      `${area}-offset-echo-of-zero`,
      `${area}.page.offset-echo`,
      `A page of ${title} names the offset 0.`,
      editing(operation, (fields) => (fields['offset'] = 0)),
    ),
    ...(['limit', 'offset'] as const).map((name) =>
      defect(
        `${area}-page-without-${name}`,
        `${area}.page.fields`,
        `A page of ${title} has no ${name}.`,
        editing(operation, (fields) => delete fields[name]),
      ),
    ),
  ];
}

function moreOf(request: Outgoing): Outgoing {
  const limit = Number(query(request.url, 'limit'));
  return limit >= 1 && limit < 100 ? withQuery(request, 'limit', String(limit + 1)) : request;
}

function shifted(request: Outgoing, by: number): Outgoing {
  const offset = Number(query(request.url, 'offset'));
  return offset > 0 && offset < 1_000 ? withQuery(request, 'offset', String(offset + by)) : request;
}
