import { respond, withQuery } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { asking, defect, during, editing, query, recordsIn } from './exchange.ts';

const AGENTS = 'listAgents';
const EMPTY = { data: [], total: 0, limit: 100, offset: 0 };

/** The parameters of the agents list. */
export const agentDefects: readonly Defect[] = [
  defect(
    'agent-slug-ignored',
    'agent.slug',
    'The agents list ignores slug.',
    asking(AGENTS, (request) => withQuery(request, 'slug', null)),
  ),
  defect(
    'agent-slug-finds-none',
    'agent.slug',
    'A slug finds no agent.',
    during(AGENTS, ({ request, next }) =>
      query(request.url, 'slug') === null ? next(request) : respond(200, EMPTY),
    ),
  ),
  defect(
    'agent-slug-twice',
    'agent.slug',
    'A slug returns the agent twice.',
    editing(AGENTS, (fields, { request }) => {
      if (query(request.url, 'slug') === null) return;
      const found = recordsIn(fields['data']);
      fields['data'] = [...found, ...found];
    }),
  ),
  defect(
    'agent-left-out',
    'agent.list.lists',
    'Without a slug, the agents list omits agents with a hyphen in their slug.',
    editing(AGENTS, (fields, { request }) => {
      if (query(request.url, 'slug') !== null) return;
      const kept = recordsIn(fields['data']).filter(({ slug }) => !String(slug).includes('-'));
      fields['total'] = Number(fields['total']) - recordsIn(fields['data']).length + kept.length;
      fields['data'] = kept;
    }),
  ),
  defect(
    'include-archived-inverted',
    'agent.include-archived',
    'includeArchived omits archived agents.',
    asking(AGENTS, (request) => {
      const value = query(request.url, 'includeArchived');
      const opposite = value === 'true' ? 'false' : 'true';
      return value === null ? request : withQuery(request, 'includeArchived', opposite);
    }),
  ),
  ...['true', 'false'].map((word) =>
    defect(
      `include-archived-${word}-refused`,
      'agent.include-archived',
      `includeArchived=${word} gets 404.`,
      during(AGENTS, ({ request, next }) =>
        query(request.url, 'includeArchived') === word ? respond(404, {}) : next(request),
      ),
    ),
  ),
  defect(
    'agent-search-ignored',
    'agent.search',
    'The agents list ignores its search parameter.',
    asking(AGENTS, (request) => withQuery(request, 'search', null)),
  ),
  defect(
    'agent-search-finds-none',
    'agent.search',
    'A search finds no agent.',
    during(AGENTS, ({ request, next }) =>
      query(request.url, 'search') === null ? next(request) : respond(200, EMPTY),
    ),
  ),
  searching(
    'agent-search-whole-field',
    'A search finds agents with an equal field.',
    (text, field) => field === text,
  ),
  searching(
    'agent-search-beginning-of-word',
    'A search finds agents with a word that begins with the text.',
    (text, field) => field.split(/[^a-z0-9]/).some((word) => word.startsWith(text)),
  ),
];

/** A search whose results must also match in a narrower way. */
function searching(
  id: string,
  does: string,
  matches: (text: string, field: string) => boolean,
): Defect {
  return defect(
    id,
    'agent.search',
    does,
    editing(AGENTS, (fields, { request }) => {
      const text = query(request.url, 'search')?.toLowerCase();
      if (text === undefined) return;
      fields['data'] = recordsIn(fields['data']).filter((agent) =>
        ['id', 'slug', 'name', 'description'].some((name) =>
          matches(text, String(agent[name]).toLowerCase()),
        ),
      );
      fields['total'] = recordsIn(fields['data']).length;
    }),
  );
}
