import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import {
  assumeSuccess,
  expectStatus,
  expectAllowed,
  violation,
} from '../../../check-kit/expect.ts';
import { AGENTS, firstPage, page, readPage } from '../operations/lists.ts';

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
    async run(context) {
      const slug = context.fixture('agentSlug');
      const { entries, response } = await page(context, AGENTS, { slug, limit: 100, offset: 0 });
      const slugs = entries.map((entry) => String(entry['slug']));
      if (slugs.length !== 1 || slugs[0] !== slug) {
        throw violation(`one agent, ${slug}`, `${slugs.length}: ${slugs.join(', ')}`, response);
      }
    },
  }),
  agent.check({
    name: 'include-archived',
    requirements: ['agent.include-archived'],
    title: 'accepts includeArchived true and false, and true omits no agent',
    async run(context) {
      const without = await context.api.sample({
        path: AGENTS.path,
        query: { includeArchived: false, limit: 100, offset: 0 },
      });
      const including = await context.api.sample({
        path: AGENTS.path,
        query: { includeArchived: true, limit: 100, offset: 0 },
      });
      expectAllowed(without);
      expectAllowed(including);
      const more = readPage(AGENTS, including);
      const fewer = readPage(AGENTS, without);
      if (more.total < fewer.total) {
        throw violation(`a total of ${fewer.total} or more`, `${more.total}`, including);
      }
    },
  }),
  agent.check({
    name: 'include-archived-not-boolean',
    requirements: ['agent.include-archived'],
    title: 'refuses includeArchived=maybe with 400',
    async run({ api }) {
      const query = { limit: 1, offset: 0 };
      assumeSuccess(
        await api.sample({ path: AGENTS.path, query: { ...query, includeArchived: true } }),
      );
      expectStatus(
        await api.sample({ path: AGENTS.path, query: { ...query, includeArchived: 'maybe' } }),
        400,
      );
    },
  }),
];
