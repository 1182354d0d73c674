import type { AgentRecord, AutomationRecord, VersionRecord } from '../../store/automations.ts';
import type { AutomationId, FolderId } from '../../store/ids.ts';
import type { Fields, SeedAgent, SeedWorkflow } from './generated/seed-data.ts';
import { SEED_DATA } from './seed-data.ts';
import { idOf } from './seeding.ts';
import type { Ids, SeededTenant, Seeding } from './seeding.ts';

const { folders, workflows, agents } = SEED_DATA.automations;

/** Adds the folders of a tenant; returns their ids by path. */
export function seedFolders(seeding: Seeding, tenant: SeededTenant): Ids<FolderId> {
  const ids = new Map<string, FolderId>();
  for (const path of folders) {
    const names = path.split('/');
    const name = names.pop() ?? '';
    const id = seeding.id('folder_');
    const parentId = names.length === 0 ? null : idOf(ids, names.join('/'));
    seeding.state.folders.add({ id, tenantId: tenant.id, parentId, name });
    ids.set(path, id);
  }
  return ids;
}

/** Adds the workflows of a tenant; returns their ids by slug. */
export function seedWorkflows(
  seeding: Seeding,
  tenant: SeededTenant,
  folderIds: Ids<FolderId>,
): Ids<AutomationId> {
  const { state } = seeding;
  const ids = new Map<string, AutomationId>();
  for (const workflow of workflows) {
    const { slug, folder, triggers, implementationMissing } = workflow;
    const row: AutomationRecord = {
      ...registryRow(seeding, workflow),
      status: 'active',
      versions: versionsOf(seeding, workflow, () => null),
      id: seeding.id('wf_'),
      tenantId: tenant.id,
      type: 'workflow',
      folderId: folder === undefined ? null : idOf(folderIds, folder),
      triggers: {
        api: triggers.includes('api'),
        email: triggers.includes('email'),
        manual: triggers.includes('manual'),
        cron: triggers.includes('cron'),
      },
      implementationAvailable: implementationMissing === undefined,
    };
    state.automations.add(row);
    ids.set(slug, row.id);
  }
  return ids;
}

/** Adds the agents of a tenant, each with its registry row; returns their ids by slug. */
export function seedAgents(seeding: Seeding, tenant: SeededTenant): Ids<AutomationId> {
  const { state } = seeding;
  const ids = new Map<string, AutomationId>();
  for (const agent of agents) {
    const row: AutomationRecord = {
      ...registryRow(seeding, agent),
      status: agent.archived === true ? 'archived' : 'active',
      versions: versionsOf(seeding, agent, () => seeding.id('').slice(0, 12)),
      id: seeding.id('agent_'),
      tenantId: tenant.id,
      type: 'agent',
      folderId: null,
      triggers: { api: true, email: true, manual: true, cron: false },
      implementationAvailable: true,
    };
    state.automations.add(row);
    const record = agentRecord(seeding, row, agent);
    state.agents.add(record);
    ids.set(agent.slug, row.id);
  }
  return ids;
}

/** Returns the fields that workflows and agents share in the registry. */
function registryRow(
  { hoursAgo }: Seeding,
  automation: SeedWorkflow | SeedAgent,
): Omit<
  AutomationRecord,
  | 'id'
  | 'tenantId'
  | 'type'
  | 'folderId'
  | 'status'
  | 'triggers'
  | 'implementationAvailable'
  | 'versions'
> {
  const { slug, name, description, version } = automation;
  return {
    slug,
    name,
    description,
    version,
    inputSchema: schemaOf(automation.inputFields),
    outputSchema: schemaOf(automation.outputFields),
    createdAt: hoursAgo(automation.createdHoursAgo),
    updatedAt: hoursAgo(automation.updatedHoursAgo),
  };
}

/** The current version of an agent is its main branch; each earlier one has a tag. */
function versionsOf(
  { id, hoursAgo }: Seeding,
  { version, updatedHoursAgo, earlierVersions = [] }: SeedWorkflow | SeedAgent,
  drawCommit: () => string | null,
): VersionRecord[] {
  const all = [{ version, createdHoursAgo: updatedHoursAgo }, ...earlierVersions];
  return all.map((one, index) => {
    const commit = drawCommit();
    const ref = index === 0 ? 'main' : `v${one.version}`;
    return {
      id: id('ver_'),
      version: one.version,
      sourceRef: commit === null ? null : ref,
      commit,
      createdAt: hoursAgo(one.createdHoursAgo),
    };
  });
}

function schemaOf(fields: Fields): Record<string, unknown> {
  const properties = Object.entries(fields).map(([name, type]) => [name, { type }] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function agentRecord(
  seeding: Seeding,
  { id, tenantId, slug, name, description, createdAt, updatedAt, versions }: AutomationRecord,
  agent: SeedAgent,
): AgentRecord {
  const { lastExecutionHoursAgo } = agent;
  return {
    id,
    tenantId,
    slug,
    name,
    description,
    latestVersion: agent.version,
    latestCommit: versions[0]?.commit ?? '',
    config: { model: 'house-model', maxTurns: 12, tools: [...agent.tools] },
    stats: {
      exampleCount: SEED_DATA.datasets[slug]?.examples.length ?? 0,
      totalExecutions: agent.executions,
      avgDurationMs: agent.averageDurationMs ?? 0,
      avgCredits: agent.averageCredits ?? 0,
      ...(lastExecutionHoursAgo === undefined
        ? {}
        : { lastExecutionAt: seeding.hoursAgo(lastExecutionHoursAgo) }),
    },
    archived: agent.archived ?? false,
    createdAt,
    updatedAt,
  };
}
