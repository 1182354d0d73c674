import type { Agent, AgentList } from '@hookproof/spec';

import type { AgentRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { examplesOf } from '../datasets/examples.ts';
import { cutPage, newestFirst } from '../paging.ts';
import type { Paging } from '../paging.ts';
import type { Handler, Services } from '../services.ts';

interface AgentsQuery extends Paging {
  readonly search?: string;
  readonly slug?: string;
  readonly includeArchived?: boolean;
}

/** `GET /api/v1/agents`: the agents of the tenant, newest first; archived agents only with `includeArchived`. */
export function listAgents({ store }: Services): Handler<AgentsQuery> {
  return async function handle({ key, query }): Promise<AgentList> {
    const agents = store.state.agents.filter(
      (agent) => agent.tenantId === key.tenantId && isSelected(agent, query),
    );
    const { entries, total, limit, offset } = cutPage(newestFirst(agents), query);
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

/** Returns an agent as the list shows it, with the current number of its dataset examples. */
function presentAgent(
  state: ReadonlyState,
  { tenantId: _tenantId, archived: _archived, stats, ...agent }: DeepReadonly<AgentRecord>,
): Agent {
  return { ...agent, stats: { ...stats, exampleCount: examplesOf(state, agent.id).length } };
}
