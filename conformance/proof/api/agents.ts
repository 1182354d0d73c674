import { fieldsOf, onCall, onRequest, editResponse, recordsIn, query } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, respond, withQuery } from '../kit/message.ts';

const AGENTS = 'listAgents';

/** The parameters of the agents list. */
export const agentDefects: readonly Defect[] = [
  defect({
    id: 'agent-slug-ignored',
    breaks: 'agent.slug',
    does: 'The agents list ignores slug.',
    api: onRequest(AGENTS, (request) => withQuery(request, 'slug', null)),
  }),
  defect({
    id: 'agent-left-out',
    breaks: 'agent.list.lists',
    does: 'Without a slug, the agents list omits agents with a hyphen in their slug.',
    api: editResponse(AGENTS, (fields, { request }) => {
      if (query(request.url, 'slug') !== null) return;
      const kept = recordsIn(fields['data']).filter(({ slug }) => !String(slug).includes('-'));
      fields['total'] = Number(fields['total']) - recordsIn(fields['data']).length + kept.length;
      fields['data'] = kept;
    }),
  }),
  defect({
    id: 'include-archived-inverted',
    breaks: 'agent.include-archived.adds',
    does: 'includeArchived omits archived agents.',
    api: onRequest(AGENTS, (request) => {
      const value = query(request.url, 'includeArchived');
      const opposite = value === 'true' ? 'false' : 'true';
      return value === null ? request : withQuery(request, 'includeArchived', opposite);
    }),
  }),
  defect({
    id: 'include-archived-refused',
    breaks: 'agent.include-archived',
    does: 'includeArchived=true gets 404.',
    api: onRequest(AGENTS, (request) =>
      query(request.url, 'includeArchived') === 'true' ? respond(404, {}) : request,
    ),
  }),
  defect({
    id: 'agent-search-ignored',
    breaks: 'agent.search',
    does: 'The agents list ignores its search parameter.',
    api: onRequest(AGENTS, (request) => withQuery(request, 'search', null)),
  }),
  defect({
    id: 'agent-search-finds-more',
    breaks: 'agent.search.contains',
    does: 'A search that finds an agent also finds every other one.',
    api: onCall(AGENTS, async ({ request, next }) => {
      const found = await next(request);
      const isFound = recordsIn(fieldsOf(found)['data']).length > 0;
      return isFound ? next(withQuery(request, 'search', null)) : found;
    }),
  }),
  defect({
    id: 'agent-aliases-unknown',
    breaks: 'automation-move.path-alias',
    does: 'No path accepts the alias of an agent.',
    api: onRequest('every', (request) =>
      new URL(request.url).pathname.includes('/agents.') ? refuse(404, 'not_found') : request,
    ),
  }),
  defect({
    id: 'agent-search-beginning-of-word',
    breaks: 'agent.search',
    does: 'A search finds agents with a word that begins with the text.',
    api: searching((text, field) => field.split(/[^a-z0-9]/).some((word) => word.startsWith(text))),
  }),
];

/** A search whose results must also match in a narrower way. */
function searching(matches: (text: string, field: string) => boolean): Open {
  return editResponse(AGENTS, (fields, { request }) => {
    const text = query(request.url, 'search')?.toLowerCase();
    if (text === undefined) return;
    fields['data'] = recordsIn(fields['data']).filter((agent) =>
      ['id', 'slug', 'name', 'description'].some((name) =>
        matches(text, String(agent[name]).toLowerCase()),
      ),
    );
    fields['total'] = recordsIn(fields['data']).length;
  });
}
