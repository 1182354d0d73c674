/** A variable that a template's document asks for. */
export interface TemplateTokenRecord {
  name: string;
  path: string[];
  kind: string;
  type: string;
  required: boolean;
  description: string;
}

/** A DOCX or XLSX template of a tenant. */
export interface TemplateRecord {
  id: string;
  tenantId: string;
  name: string;
  filename: string;
  format: 'docx' | 'xlsx';
  mimeType: string;
  tokens: TemplateTokenRecord[];
  grammar: { syntax: string; tokenDiscovery: boolean; capabilities: string[] };
  description?: string;
  size: number;
  sha256: string;
  currentRevision: { id: string; number: number; sha256: string; createdAt: string };
  createdAt: string;
  updatedAt: string;
}
