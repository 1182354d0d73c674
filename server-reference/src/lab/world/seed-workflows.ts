import type { AutomationRecord, FolderRecord } from '../../platform/state/automations.ts';
import { listNewestFirst } from '../../platform/store/records.ts';
import { registryRow } from './registry-row.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';
import { WORKFLOW_PLANS } from './workflow-plans.ts';

/** Each after the one that it lies in. */
const FOLDERS = [
  'Inbound',
  'Inbound/Delivery notes',
  'Finance',
  'Finance/Statements',
  'Finance/Premiums',
  'Claims',
  'Claims/Inbound mail',
  'Claims/Inbound mail/Transport damage',
];

/** Adds the workflows of a tenant and their folders; returns the ids by slug and by path. */
export function seedWorkflows(
  seeding: Seeding,
  tenant: SeededTenant,
): { workflowIds: Map<string, string>; folderIds: Map<string, string> } {
  const folderIds = new Map<string, string>();
  for (const path of FOLDERS) {
    folderIds.set(path, seedFolder(seeding, tenant, path, folderIds));
  }
  const workflowIds = new Map<string, string>();
  for (const [index, plan] of WORKFLOW_PLANS.entries()) {
    const id = seeding.id('wf_');
    workflowIds.set(plan.slug, id);
    const row: AutomationRecord = {
      ...registryRow(
        plan,
        seeding.hoursAgo(2000 - 100 * index),
        seeding.hoursAgo(700 - 50 * index),
      ),
      id,
      tenantId: tenant.id,
      type: 'workflow',
      folderId: folderIds.get(plan.folder ?? '') ?? null,
      triggers: { api: false, email: false, manual: false, cron: false, ...plan.triggers },
      implementationAvailable: plan.implementationMissing === undefined,
    };
    listNewestFirst(row, seeding.state.automations, seeding.state.listed.automations);
  }
  return { workflowIds, folderIds };
}

function seedFolder(
  seeding: Seeding,
  tenant: SeededTenant,
  path: string,
  folderIds: ReadonlyMap<string, string>,
): string {
  const names = path.split('/');
  const name = names.pop() ?? '';
  const folder: FolderRecord = {
    id: seeding.id('folder_'),
    tenantId: tenant.id,
    parentId: folderIds.get(names.join('/')) ?? null,
    name,
  };
  seeding.state.folders[folder.id] = folder;
  return folder.id;
}
