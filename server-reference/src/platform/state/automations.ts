import type { Agent, AgentStats, Automation, Template } from '@hookproof/spec';

import type { AutomationId, FolderId, TemplateId, TenantId } from './ids.ts';

/** A folder of workflows; `parentId` is null at the tenant root. */
export interface FolderRecord {
  id: FolderId;
  tenantId: TenantId;
  parentId: FolderId | null;
  name: string;
}

/** A workflow or agent in the automation registry. Its folder path comes from the folders. */
export interface AutomationRecord extends Omit<Required<Automation>, 'folderPath'> {
  id: AutomationId;
  tenantId: TenantId;
  folderId: FolderId | null;
}

/** An entry of the agents list. Its automation record has the same id. */
export interface AgentRecord extends Required<Agent> {
  id: AutomationId;
  tenantId: TenantId;
  stats: AgentStats;
  archived: boolean;
}

/** A DOCX or XLSX template of a tenant. */
export interface TemplateRecord extends Template {
  id: TemplateId;
  tenantId: TenantId;
}
