import { randomUUID } from 'node:crypto';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { expectAllowed, violation } from '../../../check-kit/expect.ts';
import { AGENTS, firstPage, needEntries, readPage } from '../operations/lists.ts';
import type { Page } from '../operations/lists.ts';

const agent = area('api.agent', {
  access: 'read',
  needs: ['key.main', 'app', 'fixture.agentSearchParameter'],
});

/** The search of the agents list. Its parameter is the fixture `agentSearchParameter`. */
export const agentSearchChecks: readonly Check[] = [
  agent.check({
    name: 'search-finds',
    requirements: ['agent.search'],
    title: "a search for a part of an agent's name finds the agent",
    async run(context) {
      const listed = await firstPage(context, AGENTS);
      needEntries(AGENTS, listed, 1);
      const { id, text } = partOfName(listed);
      const found = await search(context, text);
      if (found.ids.includes(id)) return;
      if (found.total > found.entries.length) {
        throw new Inconclusive(`Cannot judge: agents with ${text} fill more than one page.`);
      }
      throw violation(
        `the agent ${id}, whose name contains ${text}`,
        `${found.ids.length} other agents`,
        found.response,
      );
    },
  }),
  agent.check({
    name: 'search-none',
    requirements: ['agent.search'],
    title: 'a search for an unknown text finds no agent',
    async run(context) {
      needEntries(AGENTS, await firstPage(context, AGENTS), 1);
      const { entries, total, response } = await search(context, `nowhere-${randomUUID()}`);
      if (entries.length > 0 || total > 0) {
        throw violation('no agent', `${entries.length} of ${total}`, response);
      }
    },
  }),
];

async function search(context: CheckContext, text: string): Promise<Page> {
  const name = context.fixture('agentSearchParameter');
  const query = { [name]: text, limit: 100, offset: 0 };
  const response = await context.api.sample({ path: AGENTS.path, query });
  expectAllowed(response);
  return readPage(AGENTS, response);
}

/** The middle of a word in its original case, so that only a substring match finds it. */
function partOfName({ entries }: Page): { readonly id: string; readonly text: string } {
  for (const { id, name } of entries) {
    const [word] = String(name).match(/[A-Za-z0-9]{4,}/) ?? [];
    if (word !== undefined) return { id: String(id), text: word.slice(1, -1) };
  }
  throw new CouldNotRun(
    'no agent has a word of at least four letters in its name',
    'use a key of a tenant with such an agent',
  );
}
