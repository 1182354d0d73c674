import type { Template } from '@hookproof/spec';

/** A DOCX or XLSX template of a tenant. */
export interface TemplateRecord extends Template {
  tenantId: string;
}
