import type { Automation } from '@hookproof/spec';

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
