import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, show, violation } from '../../../check-kit/expect.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { AGENTS, INBOX, listArea, readPage, TEMPLATES } from '../operations/lists.ts';
import type { Page, PagedList } from '../operations/lists.ts';

type Entry = Page['entries'][number];

const QUERY = { limit: 100, offset: 0 };

/** The lists show nothing of another tenant. */
export const tenantChecks: readonly Check[] = [
  area('api.tenant', { access: 'read', needs: ['key.main', 'key.otherTenant'] }).check({
    name: 'inbox-isolated',
    requirements: ['auth.tenant.isolation'],
    title: 'the inbox lists nothing of another tenant',
    run: (context) => expectOwnEntries(context, INBOX),
  }),
  listIsolated(TEMPLATES, 'template.list.tenant'),
  listIsolated(AGENTS, 'agent.list.lists'),
];

function listIsolated(list: PagedList, requirement: string): Check {
  return listArea(list).check({
    name: 'tenant-isolated',
    requirements: [requirement, 'auth.tenant.isolation'],
    title: `${list.title} lists nothing of another tenant`,
    needs: [...list.needs, 'key.otherTenant'],
    run: (context) => expectOwnEntries(context, list),
  });
}

/** Two tenants can count their ids, so that an entry of another tenant is one whose every member is equal. */
async function expectOwnEntries({ api }: CheckContext, list: PagedList): Promise<void> {
  const theirs = await api.sample({ path: list.path, query: QUERY, key: 'otherTenant' });
  const mine = await api.sample({ path: list.path, query: QUERY });
  assumeSuccess(mine);
  assumeSuccess(theirs);
  const foreign = new Map(readPage(list, theirs).entries.map((entry) => [entry['id'], entry]));
  const { entries } = readPage(list, mine);
  const pairs = entries.flatMap((entry): [Entry, Entry][] => {
    const other = foreign.get(entry['id']);
    return other === undefined ? [] : [[entry, other]];
  });
  const [shared] = pairs.find(([own, other]) => isSame(own, other)) ?? [];
  if (shared !== undefined) {
    const actual = `${show(shared['id'])} of another tenant`;
    throw violation('entries of its own tenant only', actual, mine);
  }
  if (pairs.length === 0) return;
  throw new NotApplicable('each tenant counts its own ids, so that an id does not name a tenant');
}

/** Members that a change of the entry leaves as they are. */
function isSame(own: Entry, other: Entry): boolean {
  return ['createdAt', 'automationId', 'slug', 'filename'].every(
    (name) => own[name] === other[name],
  );
}
