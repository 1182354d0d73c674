import { inEachList } from './mutant.ts';
import type { Mutant } from './mutant.ts';

const PAGE = 'server-reference/dist/platform/resources/lists.js';
const LIMIT_REFUSED = ['limit-0', 'limit-negative', 'limit-above-100'];

/** Pages: bounds, echoed values, totals, and the union of several pages. */
export const pageMutants: readonly Mutant[] = [
  {
    id: 'limit-clamped',
    defect: 'A limit outside 1 to 100 is clamped instead of refused.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'const query = readQuery(ctx.querystring, parameters);',
    replace:
      'const query = readQuery(ctx.querystring, parameters);\n            if (query.values.limit !== undefined) query.values.limit = Math.min(100, Math.max(1, query.values.limit));',
    fails: [...inEachList(...LIMIT_REFUSED), 'api.envelope.bad-request'],
  },
  {
    id: 'offset-clamped-at-zero',
    defect: 'A negative offset counts as 0.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'const query = readQuery(ctx.querystring, parameters);',
    replace:
      'const query = readQuery(ctx.querystring, parameters);\n            if (query.values.offset < 0) query.values.offset = 0;',
    fails: inEachList('offset-negative'),
  },
  {
    id: 'offset-clamped-at-maximum',
    defect: 'An offset above the maximum counts as the maximum.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'const query = readQuery(ctx.querystring, parameters);',
    replace:
      'const query = readQuery(ctx.querystring, parameters);\n            if (query.values.offset > Number.MAX_SAFE_INTEGER) query.values.offset = Number.MAX_SAFE_INTEGER;',
    fails: inEachList('offset-above-maximum'),
  },
  {
    id: 'integers-read-leniently',
    defect: 'A limit or offset that is not an integer counts as 1.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'INTEGER.test(value) ? Number(value) : undefined',
    replace: 'INTEGER.test(value) ? Number(value) : 1',
    fails: inEachList('limit-not-integer', 'offset-not-integer'),
  },
  {
    id: 'limit-at-most-50',
    defect: 'No limit above 50 is accepted.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'ctx.state.query = query.values;',
    replace:
      "if (query.values.limit > 50) refuse([issue('invalid_value', 'limit', 'too large')]);\n            ctx.state.query = query.values;",
    fails: [...inEachList('limit-accepted', 'page-schema'), 'api.agent.include-archived'],
  },
  {
    id: 'offset-beyond-the-end-fails',
    defect: 'An offset beyond the end of the list is an error.',
    file: PAGE,
    find: 'return { entries:',
    replace: "if (offset > list.length) throw new Error('beyond the end');\n    return { entries:",
    fails: inEachList('offset-accepted'),
  },
  {
    id: 'total-of-the-page',
    defect: 'total counts the entries of the page.',
    file: PAGE,
    find: 'total: list.length',
    replace: 'total: list.slice(offset, offset + limit).length',
    fails: inEachList('total'),
  },
  {
    id: 'limit-echo-of-default',
    defect: 'A page says the default limit whatever was asked for.',
    file: PAGE,
    find: 'total: list.length, limit, offset }',
    replace: 'total: list.length, limit: DEFAULT_LIMIT, offset }',
    fails: ['api.inbox.limit-echo', 'api.agent.limit-echo'],
  },
  {
    id: 'offset-echo-of-zero',
    defect: 'A page says offset 0 whatever was asked for.',
    file: PAGE,
    find: 'total: list.length, limit, offset }',
    replace: 'total: list.length, limit, offset: 0 }',
    fails: ['api.inbox.offset-echo', 'api.agent.offset-echo'],
  },
  {
    id: 'page-one-too-long',
    defect: 'A page exceeds its limit by one entry.',
    file: PAGE,
    find: 'offset + limit)',
    replace: 'offset + limit + 1)',
    fails: inEachList('page-size', 'pages-disjoint'),
  },
  {
    id: 'pages-overlap',
    defect: 'A page begins with the last entry of the previous page.',
    file: PAGE,
    find: 'list.slice(offset, offset + limit)',
    replace: 'list.slice(Math.max(0, offset - 1), Math.max(0, offset - 1) + limit)',
    // The last page is short enough for the entries that the other pages shift.
    fails: [
      ...inEachList('pages-disjoint'),
      'api.template.pages-complete',
      'api.agent.pages-complete',
    ],
  },
  {
    id: 'pages-leave-out',
    defect: 'One entry between two pages is missing.',
    file: PAGE,
    find: 'list.slice(offset, offset + limit)',
    replace: 'list.slice(offset === 0 ? 0 : offset + 1, offset + limit)',
    fails: inEachList('pages-complete'),
  },
  {
    id: 'inbox-page-without-limit',
    defect: 'A page of the inbox does not say its limit.',
    file: 'server-reference/dist/platform/routes/reviews.js',
    find: 'return { data, total, limit, offset };',
    replace: 'return { data, total, offset };',
    fails: ['api.inbox.page-schema', 'api.inbox.limit-echo'],
  },
  {
    id: 'template-total-as-text',
    defect: 'The total of the templates list is a string.',
    file: 'server-reference/dist/platform/routes/templates.js',
    find: 'total: page.total,',
    replace: 'total: String(page.total),',
    fails: ['api.template.page-schema'],
  },
  {
    id: 'agent-entries-under-items',
    defect: 'The agents list holds its entries under items.',
    file: 'server-reference/dist/platform/routes/agents.js',
    find: 'return { data:',
    replace: 'return { items:',
    fails: ['api.agent.page-schema'],
  },
];

/** Entries of the lists, the status filter, and the parameters of the agents list. */
export const entryMutants: readonly Mutant[] = [
  {
    id: 'inbox-without-automation-name',
    defect: 'Listed review requests have no automationName.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: "        automationName: find(state.automations, review.automationId)?.name ?? '',\n",
    replace: '',
    fails: ['api.inbox.item-schema', 'api.inbox.automation-name'],
  },
  {
    id: 'template-format-in-capitals',
    defect: 'The format of a template is DOCX or XLSX.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'return template;',
    replace: 'return { ...template, format: template.format.toUpperCase() };',
    fails: ['api.template.item-schema'],
  },
  {
    id: 'agent-created-at-number',
    defect: 'createdAt of an agent is a number.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'return agent;',
    replace: 'return { ...agent, createdAt: Date.parse(agent.createdAt) };',
    fails: ['api.agent.item-schema'],
  },
  {
    id: 'inbox-hides-closed',
    defect: 'Without a status filter the inbox leaves out closed requests.',
    file: 'server-reference/dist/platform/routes/reviews.js',
    find: '? all\n',
    replace: "? all.filter((id) => !hasStatus(state, id, new Set(['closed'])))\n",
    fails: [
      'api.inbox.known-requests-listed',
      'api.inbox.status-filter-one',
      'api.inbox.status-filter-several',
    ],
  },
  {
    id: 'status-filter-ignored',
    defect: 'The status filter is ignored.',
    file: 'server-reference/dist/platform/routes/reviews.js',
    find: 'statuses === null',
    replace: 'statuses !== undefined',
    fails: ['api.inbox.status-filter-one', 'api.inbox.status-filter-several'],
  },
  {
    id: 'status-filter-first-only',
    defect: 'Of several statuses in the filter only the first counts.',
    file: 'server-reference/dist/platform/routes/reviews.js',
    find: 'readWords(query.status,',
    replace: "readWords(query.status?.split(',')[0],",
    fails: ['api.inbox.status-filter-several'],
  },
  {
    id: 'remaining-counts-all',
    defect: 'remaining counts all examples.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'remaining: pending,',
    replace: 'remaining: items.length,',
    fails: ['api.inbox.progress-remaining'],
  },
  {
    id: 'complete-when-all-approved',
    defect: 'complete is true only when every example is approved.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'complete: pending === 0,',
    replace: "complete: count('approved') === items.length,",
    fails: ['api.inbox.progress-complete'],
  },
  {
    id: 'agent-slug-ignored',
    defect: 'The slug parameter of the agents list is ignored.',
    file: 'server-reference/dist/platform/routes/agents.js',
    find: 'agent.slug !== query.slug',
    replace: 'query.slug === null',
    fails: ['api.agent.slug'],
  },
  {
    id: 'agent-left-out',
    defect:
      'The agents list leaves out agents whose slug begins with f, unless they are asked for.',
    file: 'server-reference/dist/platform/routes/agents.js',
    find: 'if (agent.archived && query.includeArchived !== true)',
    replace:
      "if (query.slug === undefined && agent.slug.startsWith('f')) return false;\n    if (agent.archived && query.includeArchived !== true)",
    fails: ['api.agent.known-agent-listed'],
  },
  {
    id: 'include-archived-inverted',
    defect: 'includeArchived leaves out archived agents.',
    file: 'server-reference/dist/platform/routes/agents.js',
    find: 'query.includeArchived !== true',
    replace: 'query.includeArchived === true',
    fails: ['api.agent.include-archived'],
  },
  {
    id: 'include-archived-takes-any-word',
    defect: 'includeArchived takes every word other than true for false.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: "return value === 'true' || (value === 'false' ? false : undefined);",
    replace: "return value === 'true';",
    fails: ['api.agent.include-archived-not-boolean'],
  },
];
