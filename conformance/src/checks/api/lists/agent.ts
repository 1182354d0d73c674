import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { expectAllowed, violation } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { comparePages } from '../operations/compare-pages.ts';
import { AGENTS, firstPage } from '../operations/lists.ts';

const agent = area('api.agent', { access: 'read', needs: ['key.main', 'app'] });

/** The entries of the agents list, and its own parameters. */
export const agentChecks: readonly Check[] = [
  agent.check({
    name: 'known-agent-listed',
    requirements: ['agent.list.lists'],
    title: 'the agents list contains a known agent',
    needs: ['key.main', 'app', 'fixture.agentSlug'],
    async run(context) {
      const slug = context.fixture('agentSlug');
      const all = await firstPage(context, AGENTS);
      if (all.entries.some((entry) => entry['slug'] === slug)) return;
      if (all.total > all.entries.length) {
        throw new CouldNotRun(
          'the agents list must fit on one page of 100 agents, got more',
          'use a key of a tenant with at most 100 agents',
        );
      }
      throw violation(
        `the agent ${slug} in the list`,
        'the list does not contain it',
        all.response,
      );
    },
  }),
  agent.check({
    name: 'slug',
    requirements: ['agent.slug'],
    title: 'a slug filter returns exactly the agent with that slug',
    needs: ['key.main', 'app', 'fixture.agentSlug'],
    run: (context) =>
      comparePages(context, AGENTS, async (read) => {
        const slug = context.fixture('agentSlug');
        const { entries, response } = await read({ slug });
        const slugs = entries.map((entry) => String(entry['slug']));
        if (slugs.length !== 1 || slugs[0] !== slug) {
          throw violation(`one agent, ${slug}`, `${slugs.length}: ${slugs.join(', ')}`, response);
        }
      }),
  }),
  agent.check({
    name: 'include-archived',
    requirements: ['agent.include-archived'],
    title: 'accepts includeArchived true and false',
    run: ({ api }) =>
      judgeEach(
        [false, true],
        (includeArchived) => `includeArchived=${includeArchived}`,
        async (includeArchived) => {
          const query = { limit: 100, offset: 0, includeArchived };
          expectAllowed(await api.sample({ path: AGENTS.path, query }));
        },
      ),
  }),
  agent.check({
    name: 'include-archived-adds',
    requirements: ['agent.include-archived.adds'],
    title: 'includeArchived true omits no agent that the list has with false',
    run: (context) =>
      comparePages(context, AGENTS, async (read) => {
        const without = await read({ includeArchived: false });
        const including = await read({ includeArchived: true });
        if (including.total > including.entries.length) return;
        const missing = without.ids.find((id) => !including.ids.includes(id));
        if (missing === undefined) return;
        const actual = 'the list does not contain it';
        throw violation(`the agent ${missing}`, actual, including.response);
      }),
  }),
];
