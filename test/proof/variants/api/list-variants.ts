import type { Incoming } from '@hookproof/conformance/hooks';
import {
  count,
  editEntries,
  editResponse,
  fieldsOf,
  isSuccess,
  onCall,
  onRequest,
  onResponse,
  query,
  recordsIn,
  renamedFixture,
  textOf,
} from '@hookproof/conformance/proof/kit/api';
import type { Call } from '@hookproof/conformance/proof/kit/api';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { refuse, withJson, withQuery } from '@hookproof/conformance/proof/kit/message';
import type { Fields } from '@hookproof/conformance/proof/kit/message';

/** The three paged lists. */
const LISTS = [
  { area: 'inbox', operation: 'listDatasetReviewRequests', member: 'data', name: 'The inbox' },
  { area: 'template', operation: 'listTemplates', member: 'items', name: 'The templates list' },
  { area: 'agent', operation: 'listAgents', member: 'data', name: 'The agents list' },
] as const;

type List = (typeof LISTS)[number];
type Compare = (one: Fields, other: Fields) => number;

const AGENTS = 'listAgents';
const MAX_LIMIT = 100;
/** So that the list stays within one page. */
const MAX_ADDED = 20;
const MAX_REFUSALS = 5;
/** The checks of the inbox that compare pages with and without a status. */
const FILTER_CHECKS = ['status-filter', 'status-filter-pages'];

const ORDERS: readonly (readonly [word: string, what: string, compare: Compare])[] = [
  ['oldest-first', 'has the oldest entry first', (one, other) => text(one, 'createdAt', other)],
  [
    'by-title',
    'is ordered by title or name',
    (one, other) => text(one, 'title', other) || text(one, 'name', other) || text(one, 'id', other),
  ],
  ['by-id', 'is ordered by id', (one, other) => text(one, 'id', other)],
];

/** Order, default page and parameters of the three lists. */
export const listVariants: readonly Variant[] = [
  ...LISTS.flatMap((list) =>
    ORDERS.map(([word, what, compare]) =>
      variant({
        id: `${list.area}-${word}`,
        takes: 'inbox.order',
        at: list.area,
        does: `${list.name} ${what}.`,
        api: reordered(list, (entries) => entries.toSorted(compare)),
      }),
    ),
  ),
  ...LISTS.flatMap((list) =>
    ['20', '100', '1'].map((limit) =>
      variant({
        id: `${list.area}-default-limit-${limit}`,
        takes: 'inbox.limit.default',
        at: list.area,
        does: `${list.name} has ${limit} as its default limit.`,
        api: onRequest(list.operation, (request) =>
          query(request.url, 'limit') === null ? withQuery(request, 'limit', limit) : request,
        ),
      }),
    ),
  ),
  ...LISTS.flatMap((list) => [
    variant({
      id: `${list.area}-volatile-members`,
      takes: 'versioning.wire.extra-members',
      at: list.operation,
      does: `${list.name} has entries with members that change at every reading.`,
      api: editEntries(list.operation, list.member, (entry, call) => {
        const reading = count(call);
        entry['openForSeconds'] = reading;
        entry['etag'] = `v${reading}`;
      }),
    }),
    variant({
      id: `${list.area}-grows`,
      takes: `${list.area}.item.fields`,
      does: `${list.name} gets a new first entry at every eighth reading, up to ${MAX_ADDED}.`,
      api: onCall(list.operation, growing(list)),
      // A comparison of many pages takes longer than the list stays the same.
      silences: ['pages', 'total', ...(list.area === 'inbox' ? FILTER_CHECKS : [])].map(
        (name) => `api.${list.area}.${name}`,
      ),
    }),
  ]),
  ...['q', 'query'].map((name) =>
    variant({
      id: `agent-search-parameter-${name}`,
      takes: 'agent.search-parameter',
      does: `The search parameter of the agents list is ${name}.`,
      api: (knowledge) => ({
        ...onRequest(AGENTS, (request) => {
          const value = query(request.url, name);
          return withQuery(withQuery(request, name, null), 'search', value);
        })(knowledge),
        control: renamedFixture('agentSearchParameter', name),
      }),
    }),
  ),
  ...variantsOf({
    takes: 'agent.search-parameter',
    api: (fields: readonly string[]) =>
      searching((agent, wanted) => fields.some((name) => String(agent[name]).includes(wanted))),
    rows: {
      'agent-search-by-case': [
        'The search for agents is case-sensitive.',
        ['id', 'slug', 'name', 'description'],
      ],
      'agent-search-in-slug': ['The search for agents looks at slug only.', ['slug']],
      'agent-search-in-description': [
        'The search for agents looks at description only.',
        ['description'],
      ],
      'agent-search-in-id': ['The search for agents looks at id only.', ['id']],
    },
  }),
  variant({
    id: 'agent-unknown-slug-404',
    takes: 'agent.slug.unknown',
    does: 'An unknown slug gets 404.',
    api: onResponse(AGENTS, (response, { request }) => {
      const found = fieldsOf(response)['total'];
      return query(request.url, 'slug') !== null && found === 0 ? refuse(404) : response;
    }),
  }),
  variant({
    id: 'agents-archived-by-default',
    takes: 'agent.include-archived',
    does: 'The agents list includes archived agents by default.',
    api: onRequest(AGENTS, (request) =>
      query(request.url, 'includeArchived') === null
        ? withQuery(request, 'includeArchived', 'true')
        : request,
    ),
  }),
  variant({
    id: 'agents-archived-any-word',
    takes: 'agent.include-archived',
    does: 'includeArchived takes any other word for false.',
    api: onRequest(AGENTS, (request) => {
      const value = query(request.url, 'includeArchived') ?? 'true';
      return value === 'true' ? request : withQuery(request, 'includeArchived', 'false');
    }),
  }),
];

function text(one: Fields, name: string, other: Fields): number {
  const [first, second] = [textOf(one[name]), textOf(other[name])];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function searching(matches: (agent: Fields, wanted: string) => boolean): Open {
  return editResponse(AGENTS, (fields, { request }) => {
    const wanted = query(request.url, 'search');
    if (wanted === null) return;
    fields['data'] = recordsIn(fields['data']).filter((agent) => matches(agent, wanted));
    fields['total'] = recordsIn(fields['data']).length;
  });
}

/** Pages of all entries in another order. A request that the target refuses stays refused. */
function reordered(list: List, order: (entries: readonly Fields[]) => readonly Fields[]) {
  return onCall(list.operation, async (call) => {
    const response = await call.next(call.request);
    if (!isSuccess(response)) return response;
    return pageOf(list, call, response, order(await allEntries(list, call)));
  });
}

/** The page that a request asks for, of these entries. */
function pageOf(
  { member }: List,
  { request }: Call,
  response: Incoming,
  entries: readonly Fields[],
): Incoming {
  const offset = Number(query(request.url, 'offset') ?? 0);
  const limit = Number(query(request.url, 'limit') ?? 50);
  return withJson(response, {
    ...fieldsOf(response),
    [member]: entries.slice(offset, offset + limit),
    total: entries.length,
  });
}

async function allEntries({ member }: List, { request, next }: Call): Promise<readonly Fields[]> {
  const entries: Fields[] = [];
  let refusals = 0;
  for (;;) {
    const limited = withQuery(request, 'limit', String(MAX_LIMIT));
    const response = await next(withQuery(limited, 'offset', String(entries.length)));
    // Another variant of the same mixture refuses requests in passing.
    if (!isSuccess(response) && (refusals += 1) <= MAX_REFUSALS) continue;
    const found = recordsIn(fieldsOf(response)[member]);
    entries.push(...found);
    if (found.length < MAX_LIMIT) return entries;
  }
}

const READINGS_OF_AN_ENTRY = 8;

/** A platform in use: copies of the first entry appear at the start. */
function growing(list: List) {
  return async (call: Call): Promise<Incoming> => {
    const { request, next } = call;
    const response = await next(request);
    if (!isSuccess(response)) return response;
    const readings = count(call);
    const entries = await allEntries(list, call);
    // With and without archived agents or a status, the list gets the same entries.
    const [first] = await allEntries(list, {
      ...call,
      request: withQuery(withQuery(request, 'includeArchived', null), 'status', null),
    });
    const statuses = query(request.url, 'status')?.split(',');
    if (
      first === undefined ||
      statuses?.includes(textOf(first['status'])) === false ||
      query(request.url, 'slug') !== null ||
      query(request.url, 'search') !== null
    )
      return response;
    const added = Array.from(
      { length: Math.min(MAX_ADDED, Math.floor(readings / READINGS_OF_AN_ENTRY)) },
      (_none, index) => ({
        ...first,
        // The entry belongs to the same tenant as the first one.
        id: textOf(first['id']).slice(0, -4) + String(index).padStart(4, '0'),
        slug: `added-${index}`,
      }),
    );
    return pageOf(list, call, response, [...added.toReversed(), ...entries]);
  };
}
