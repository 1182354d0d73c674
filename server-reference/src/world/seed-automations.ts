import type { AutomationRecord, FolderRecord } from '../state/automation.ts';
import { listNewestFirst } from '../store/list-newest-first.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

interface WorkflowPlan {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Absent for a workflow outside all folders. */
  readonly folder?: string;
  readonly triggers: Partial<AutomationRecord['triggers']>;
  readonly implementationMissing?: true;
}

/** Two of them bear one name, in different folders: moving one to the other is a conflict. */
const WORKFLOWS: readonly WorkflowPlan[] = [
  {
    slug: 'invoice-matcher',
    name: 'Invoice matcher',
    description: 'Matches supplier invoices with purchase orders.',
    triggers: { api: true, email: true },
  },
  {
    slug: 'delivery-note-reader',
    name: 'Delivery note reader',
    description: 'Reads scanned delivery notes into rows.',
    folder: 'Inbound/Delivery notes',
    triggers: { api: true, email: true, manual: true },
  },
  {
    slug: 'bank-statement-import',
    name: 'Statement importer',
    description: 'Imports bank statements every morning.',
    folder: 'Finance/Statements',
    triggers: { cron: true, manual: true },
  },
  {
    slug: 'card-statement-import',
    name: 'Statement importer',
    description: 'Imports card statements that somebody uploads.',
    triggers: { manual: true },
  },
  {
    slug: 'customs-declaration',
    name: 'Customs declaration',
    description: 'Fills customs forms from packing lists.',
    folder: 'Inbound',
    triggers: { api: true },
  },
  {
    slug: 'claim-intake',
    name: 'Claim intake',
    description: 'Opens a claim from a mail and asks for the papers that are missing.',
    folder: 'Claims/Inbound mail/Transport damage',
    triggers: { email: true, api: true },
  },
  {
    slug: 'premium-reconciliation',
    name: 'Premium reconciliation',
    description: 'Compares booked premiums with the policies, at the end of each month.',
    folder: 'Finance/Premiums',
    triggers: { cron: true },
  },
  {
    slug: 'fax-intake',
    name: 'Fax intake',
    description: 'Its row is left in the registry; the workflow itself is gone.',
    triggers: {},
    implementationMissing: true,
  },
];

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
  for (const [index, plan] of WORKFLOWS.entries()) {
    const id = seeding.id('wf_');
    workflowIds.set(plan.slug, id);
    const row: AutomationRecord = {
      ...registryRow(plan, seeding.hoursAgo(2000 - 100 * index)),
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

/** What the rows of all automations have alike. */
export function registryRow(
  plan: { readonly slug: string; readonly name: string; readonly description: string },
  createdAt: string,
): Pick<
  AutomationRecord,
  | 'slug'
  | 'name'
  | 'description'
  | 'status'
  | 'version'
  | 'inputSchema'
  | 'outputSchema'
  | 'createdAt'
  | 'updatedAt'
> {
  return {
    slug: plan.slug,
    name: plan.name,
    description: plan.description,
    status: 'active',
    version: '3',
    inputSchema: { type: 'object', properties: { document: { type: 'string' } } },
    outputSchema: { type: 'object', properties: { rows: { type: 'array' } } },
    createdAt,
    updatedAt: createdAt,
  };
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
