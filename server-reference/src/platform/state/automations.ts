import type { Agent, AgentStats, Automation, Template } from '@hookproof/spec';

/** A folder of workflows; `parentId` is null at the tenant root. */
export interface FolderRecord {
  id: string;
  tenantId: string;
  parentId: string | null;
  name: string;
}

/** A registry row, of a workflow or of an agent. Its folder path is read from the folders. */
export interface AutomationRecord extends Omit<Required<Automation>, 'folderPath'> {
  tenantId: string;
}

/** An agent as the agents list tells of it; its registry row has the same id. */
export interface AgentRecord extends Required<Agent> {
  tenantId: string;
  stats: AgentStats;
  archived: boolean;
}

/** A DOCX or XLSX template of a tenant. */
export interface TemplateRecord extends Template {
  tenantId: string;
}
