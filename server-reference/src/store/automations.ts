import type { Agent, AgentStats, Automation, Template } from '@hookproof/spec';

import type { EvaluatorConfig } from '../generated/companions.ts';
import type { AutomationId, FolderId, TemplateId, TenantId, VersionId } from './ids.ts';

/** A folder of workflows; `parentId` is null at the tenant root. */
export interface FolderRecord {
  id: FolderId;
  tenantId: TenantId;
  parentId: FolderId | null;
  name: string;
}

/** A version of an automation, which a run can name instead of the current one. */
export interface VersionRecord {
  id: VersionId;
  /** The label, such as `14` or `5.2.0`. */
  version: string;
  /** The branch or tag of an agent, such as `main`; null for a workflow. */
  sourceRef: string | null;
  /** The commit of an agent; null for a workflow. */
  commit: string | null;
  createdAt: string;
}

/** Every field of an automation, each with a value. */
type RegistryFields = { [Field in keyof Automation]-?: NonNullable<Automation[Field]> };

/** A workflow or agent in the automation registry. Its folder path comes from the folders. */
export interface AutomationRecord extends Omit<RegistryFields, 'folderId' | 'folderPath'> {
  id: AutomationId;
  tenantId: TenantId;
  folderId: FolderId | null;
  /** Newest first. `version` is the label of the current one. */
  versions: VersionRecord[];
}

/** The evaluators of an automation. */
export interface EvaluatorsRecord {
  /** The id of the automation. */
  id: AutomationId;
  tenantId: TenantId;
  /** As it was written. */
  yaml: string;
  config: EvaluatorConfig;
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
