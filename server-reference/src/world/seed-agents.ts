import type { AgentRecord } from '../state/agent.ts';
import type { AutomationRecord } from '../state/automation.ts';
import { listNewestFirst } from '../store/list-newest-first.ts';
import { DATASET_PLANS } from './dataset-plans.ts';
import { registryRow } from './seed-automations.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

interface AgentPlan {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly executions: number;
  readonly archived?: true;
}

const AGENTS: readonly AgentPlan[] = [
  {
    slug: 'freight-quote',
    name: 'Freight quote agent',
    description: 'Answers quote requests from the rate sheets.',
    executions: 412,
  },
  {
    slug: 'claims-assistant',
    name: 'Claims assistant',
    description: 'Gathers the papers of a transport claim.',
    executions: 57,
  },
  {
    slug: 'supplier-mail',
    name: 'Supplier mail agent',
    description: 'Sorts the mail of suppliers and drafts replies.',
    executions: 1904,
  },
  {
    slug: 'tariff-finder',
    name: 'Tariff finder',
    description: 'Looks for the customs code of a product.',
    executions: 0,
  },
  {
    slug: 'rate-sheet-2019',
    name: 'Rate sheet agent (2019)',
    description: 'Superseded by the freight quote agent.',
    executions: 88,
    archived: true,
  },
];

/** Adds the agents of a tenant, each with its registry row; returns the ids by slug. */
export function seedAgents(seeding: Seeding, tenant: SeededTenant): Map<string, string> {
  const { state } = seeding;
  const ids = new Map<string, string>();
  for (const [index, plan] of AGENTS.entries()) {
    const id = seeding.id('agent_');
    ids.set(plan.slug, id);
    const row = registryRow(plan, seeding.hoursAgo(1500 - 90 * index));
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
      latestVersion: `${index + 1}.0.0`,
      latestCommit: seeding.id('').slice(0, 12),
      config: { model: 'house-model', maxTurns: 12 },
      stats: {
        exampleCount: DATASET_PLANS[plan.slug]?.length ?? 0,
        totalExecutions: plan.executions,
        avgDurationMs: plan.executions === 0 ? 0 : 8200.5 + 300 * index,
        avgCredits: plan.executions === 0 ? 0 : 1.25 + index / 10,
        ...(plan.executions === 0 ? {} : { lastExecutionAt: seeding.hoursAgo(3 + index) }),
      },
      archived: plan.archived ?? false,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
    listNewestFirst(agent, state.agents, state.listed.agents);
  }
  return ids;
}
