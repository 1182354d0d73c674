/** A folder of workflows; `parentId` is null at the tenant root. */
export interface FolderRecord {
  id: string;
  tenantId: string;
  parentId: string | null;
  name: string;
}

/** A registry row: a workflow or an agent. Its folder path is read from the folders. */
export interface AutomationRecord {
  id: string;
  tenantId: string;
  type: 'workflow' | 'agent';
  slug: string;
  name: string;
  /** Null when unfiled, and always for agents. */
  folderId: string | null;
  description: string;
  status: string;
  version: string;
  triggers: { api: boolean; email: boolean; manual: boolean; cron: boolean };
  /** False when the row exists but what it names is gone. */
  implementationAvailable: boolean;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}
