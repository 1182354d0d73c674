import type { Agent, AgentStats } from '@hookproof/spec';

/** An agent as the agents list tells of it; its registry row has the same id. */
export interface AgentRecord extends Required<Agent> {
  tenantId: string;
  stats: AgentStats;
  archived: boolean;
}
