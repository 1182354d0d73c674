import { REVIEW_STATUSES } from '@hookproof/spec';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, show, violation } from '../../../check-kit/expect.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { fixtureOrNull } from '../operations/files.ts';
import { isCounted } from '../operations/id-forms.ts';
import { AGENTS, INBOX, listArea, readPage, TEMPLATES } from '../operations/lists.ts';
import type { Page, PagedList, Query } from '../operations/lists.ts';

type Entry = Page['entries'][number];

/** The statuses that other checks ask for too. */
const STATUS_FILTERS = [...REVIEW_STATUSES, 'open,paused', 'draft,open,closed'];
const WHOLE = filteredBy({});
const ARCHIVED = filteredBy({ includeArchived: true });
/** Agents of the other tenant that are looked for. */
const MAX_SLUGS = 2;

/** The lists show nothing of another tenant, whatever the filter. */
export const tenantChecks: readonly Check[] = [
  area('api.tenant', { access: 'read', needs: ['key.main', 'key.otherTenant'] }).check({
    name: 'inbox-isolated',
    requirements: ['auth.tenant.isolation'],
    title: 'the inbox lists nothing of another tenant, with and without a status filter',
    async run(context) {
      const theirs = await entriesOf(context, INBOX, WHOLE);
      const filtered = STATUS_FILTERS.map((status) => filteredBy({ status }));
      await expectNothingOf(context, INBOX, theirs, [WHOLE, ...filtered]);
    },
  }),
  listArea(TEMPLATES).check({
    name: 'tenant-isolated',
    requirements: ['template.list.tenant', 'auth.tenant.isolation'],
    title: 'the templates list has nothing of another tenant',
    needs: [...TEMPLATES.needs, 'key.otherTenant'],
    async run(context) {
      const theirs = await entriesOf(context, TEMPLATES, WHOLE);
      await expectNothingOf(context, TEMPLATES, theirs, [WHOLE]);
    },
  }),
  listArea(AGENTS).check({
    name: 'tenant-isolated',
    requirements: ['agent.list.lists', 'auth.tenant.isolation'],
    title:
      'the agents list has nothing of another tenant, also by slug, by search and among archived agents',
    needs: [...AGENTS.needs, 'key.otherTenant'],
    async run(context) {
      const theirs = await entriesOf(context, AGENTS, ARCHIVED);
      const slugs = theirs.map(({ slug }) => slug).filter((slug) => typeof slug === 'string');
      const some = slugs.slice(0, MAX_SLUGS);
      const search = fixtureOrNull(context, 'agentSearchParameter');
      await expectNothingOf(context, AGENTS, theirs, [
        WHOLE,
        ARCHIVED,
        ...some.map((slug) => filteredBy({ slug })),
        ...(search === null ? [] : some.map((slug) => filteredBy({ [search]: slug }))),
      ]);
    },
  }),
];

function filteredBy(filter: Query): Query {
  return { limit: 100, offset: 0, ...filter };
}

async function entriesOf(
  { api }: CheckContext,
  list: PagedList,
  query: Query,
): Promise<readonly Entry[]> {
  const response = await api.sample({ path: list.path, query, key: 'otherTenant' });
  assumeSuccess(response);
  return readPage(list, response).entries;
}

/** Two tenants can count their ids, and have entries that are equal otherwise: then an id proves nothing. */
async function expectNothingOf(
  { api }: CheckContext,
  list: PagedList,
  theirs: readonly Entry[],
  queries: readonly Query[],
): Promise<void> {
  const foreign = new Map(theirs.map((entry) => [entry['id'], entry]));
  let counted = false;
  for (const query of queries) {
    const mine = await api.sample({ path: list.path, query });
    // No agent has to have the slug of one of another tenant.
    if (mine.status === 404 && 'slug' in query) continue;
    assumeSuccess(mine);
    const pairs = readPage(list, mine).entries.flatMap((entry): [Entry, Entry][] => {
      const other = foreign.get(entry['id']);
      return other === undefined ? [] : [[entry, other]];
    });
    const [shared] = pairs.find(([own, other]) => isSame(own, other)) ?? [];
    if (shared !== undefined) {
      const actual = `${show(shared['id'])} of another tenant`;
      throw violation('entries of its own tenant only', actual, mine);
    }
    counted ||= pairs.length > 0;
  }
  if (!counted) return;
  throw new NotApplicable('each tenant counts its own ids, so that an id does not name a tenant');
}

/** Whether two entries with one id are one, by members that a change leaves as they are. */
function isSame(own: Entry, other: Entry): boolean {
  if (isCounted(String(own['id']))) return false;
  return ['createdAt', 'automationId', 'slug', 'filename'].every(
    (name) => own[name] === other[name],
  );
}
