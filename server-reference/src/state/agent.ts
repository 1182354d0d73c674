/** What the agents list tells of an agent beyond its registry row (same id). */
export interface AgentRecord {
  id: string;
  tenantId: string;
  slug: string;
  name: string;
  description: string;
  latestVersion: string;
  latestCommit: string;
  config: Record<string, unknown>;
  stats: {
    exampleCount: number;
    totalExecutions: number;
    lastExecutionAt?: string;
    avgDurationMs: number;
    avgCredits: number;
  };
  archived: boolean;
  createdAt: string;
  updatedAt: string;
}
