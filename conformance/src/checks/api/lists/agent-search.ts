import { randomUUID } from 'node:crypto';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { violation } from '../../../check-kit/expect.ts';
import { comparePages } from '../operations/compare-pages.ts';
import type { ReadPage } from '../operations/compare-pages.ts';
import { AGENTS, needEntries } from '../operations/lists.ts';
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
    title: 'a search for a part of a field of an agent finds the agent',
    run: (context) =>
      comparePages(context, AGENTS, async (read) => {
        const listed = await read();
        needEntries(AGENTS, listed, 1);
        const { id, texts } = searchable(listed);
        for (const text of texts) {
          const found = await search(context, read, text);
          if (found.ids.includes(id)) return;
          if (found.total > found.entries.length) {
            throw new Inconclusive(`Cannot judge: agents with ${text} fill more than one page.`);
          }
        }
        const expected = `the agent ${id}, with ${texts.join(' or ')} in a field`;
        throw violation(expected, 'no search finds it', listed.response);
      }),
  }),
  agent.check({
    name: 'search-contains',
    requirements: ['agent.search.contains'],
    title: 'each found agent has the text of the search in a field',
    run: (context) =>
      comparePages(context, AGENTS, async (read) => {
        const listed = await read();
        needEntries(AGENTS, listed, 1);
        for (const text of searchable(listed).texts) {
          const { entries, response } = await search(context, read, text);
          const other = entries.find((entry) => !hasText(entry, text.toLowerCase()));
          if (other === undefined) continue;
          const actual = `${String(other['id'])} without it`;
          throw violation(`agents with ${text} in a field`, actual, response);
        }
      }),
  }),
  agent.check({
    name: 'search-none',
    requirements: ['agent.search'],
    title: 'a search for an unknown text finds no agent',
    run: (context) =>
      comparePages(context, AGENTS, async (read) => {
        needEntries(AGENTS, await read(), 1);
        const found = await search(context, read, `nowhere-${randomUUID()}`);
        if (found.entries.length > 0 || found.total > 0) {
          throw violation('no agent', `${found.entries.length} of ${found.total}`, found.response);
        }
      }),
  }),
];

function search(context: CheckContext, read: ReadPage, text: string): Promise<Page> {
  return read({ [context.fixture('agentSearchParameter')]: text });
}

/** Whether a value has a text in it, in any case. */
function hasText(value: unknown, text: string): boolean {
  return JSON.stringify(value).toLowerCase().includes(text);
}

/** An agent and the middle of a word of each of its fields, which only a substring match finds: any field may be searched. */
function searchable({ entries }: Page): { readonly id: string; readonly texts: readonly string[] } {
  for (const { id, name, slug, description } of entries) {
    const texts = [name, slug, description, id].flatMap(middleOf);
    if (texts.length > 0) return { id: String(id), texts: [...new Set(texts)] };
  }
  throw new CouldNotRun(
    'no agent has a word of at least four letters in its fields',
    'use a key of a tenant with such an agent',
  );
}

/** In its original case: a search may be case-sensitive. */
function middleOf(field: unknown): readonly string[] {
  const [word] = typeof field === 'string' ? (field.match(/[A-Za-z0-9]{4,}/) ?? []) : [];
  return word === undefined ? [] : [word.slice(1, -1)];
}
