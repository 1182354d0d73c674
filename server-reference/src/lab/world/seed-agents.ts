import type { AgentRecord, AutomationRecord } from '../../platform/state/automations.ts';
import { listNewestFirst } from '../../platform/store/records.ts';
import { AGENT_PLANS } from './agent-plans.ts';
import { DATASET_PLANS } from './dataset-plans.ts';
import { registryRow } from './registry-row.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

/** Adds the agents of a tenant, each with its registry row; returns the ids by slug. */
export function seedAgents(seeding: Seeding, tenant: SeededTenant): Map<string, string> {
  const { state } = seeding;
  const ids = new Map<string, string>();
  for (const [index, plan] of AGENT_PLANS.entries()) {
    const id = seeding.id('agent_');
    ids.set(plan.slug, id);
    const createdAt = seeding.hoursAgo(1500 - 90 * index);
    const updatedAt = seeding.hoursAgo(240 - 30 * index);
    const row = registryRow(plan, createdAt, updatedAt);
    const automation: AutomationRecord = {
      ...row,
      id,
      tenantId: tenant.id,
      type: 'agent',
      folderId: null,
      triggers: { api: true, email: true, manual: true, cron: false },
      implementationAvailable: true,
    };
    listNewestFirst(automation, state.automations, state.listed.automations);
    const agent: AgentRecord = {
      id,
      tenantId: tenant.id,
      slug: plan.slug,
      name: plan.name,
      description: plan.description,
      latestVersion: plan.version,
      latestCommit: seeding.id('').slice(0, 12),
      config: { model: 'house-model', maxTurns: 12, tools: [...plan.tools] },
      stats: {
        exampleCount: DATASET_PLANS[plan.slug]?.length ?? 0,
        totalExecutions: plan.executions,
        avgDurationMs: plan.executions === 0 ? 0 : 8200.5 + 300 * index,
        avgCredits: plan.executions === 0 ? 0 : 1.25 + index / 10,
        ...(plan.lastHoursAgo === undefined
          ? {}
          : { lastExecutionAt: seeding.hoursAgo(plan.lastHoursAgo) }),
      },
      archived: plan.archived ?? false,
      createdAt,
      updatedAt,
    };
    listNewestFirst(agent, state.agents, state.listed.agents);
  }
  return ids;
}
