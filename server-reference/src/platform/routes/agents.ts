import type { AgentList } from '@hookproof/spec';

import { cutPage } from '../resources/lists.ts';
import { presentAgent } from '../resources/present.ts';
import type { Paging } from '../resources/lists.ts';
import type { AgentRecord } from '../state/automations.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { recordsOf } from '../state/table.ts';
import { cacheUntilCommit } from '../store/cache-until-commit.ts';
import type { Handler, Services } from './services.ts';

interface AgentsQuery extends Paging {
  readonly search?: string;
  readonly slug?: string;
  readonly includeArchived?: boolean;
}

/** `GET /api/v1/agents`: the agents of the tenant, newest first; archived agents only with `includeArchived`. */
export function listAgents({ store }: Services): Handler<AgentsQuery> {
  const cached = cacheUntilCommit<readonly DeepReadonly<AgentRecord>[]>(store);
  return async function handle({ key, query }): Promise<AgentList> {
    const ids = store.state.listed.agents.of(key.tenantId);
    const { search, slug, includeArchived } = query;
    const agents = cached(JSON.stringify([key.tenantId, search, slug, includeArchived]), () =>
      recordsOf(ids, store.state.agents).filter((agent) => isSelected(agent, query)),
    );
    const { entries, total, limit, offset } = cutPage(agents, query);
    return { data: entries.map((agent) => presentAgent(store.state, agent)), total, limit, offset };
  };
}

function isSelected(agent: DeepReadonly<AgentRecord>, query: AgentsQuery): boolean {
  if (agent.archived && query.includeArchived !== true) return false;
  if (query.slug !== undefined && agent.slug !== query.slug) return false;
  return query.search === undefined || matches(agent, query.search);
}

/** Searches the fields that a user sees, ignoring case. */
function matches(
  { id, slug, name, description }: DeepReadonly<AgentRecord>,
  search: string,
): boolean {
  const lowerCase = search.toLowerCase();
  return [id, slug, name, description].some((text) => text.toLowerCase().includes(lowerCase));
}
