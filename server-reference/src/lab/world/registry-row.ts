import type { AutomationRecord } from '../../platform/state/automations.ts';

/** What a workflow or an agent is called, takes and gives. */
export interface AutomationPlan {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly takes: Readonly<Record<string, FieldType>>;
  readonly gives: Readonly<Record<string, FieldType>>;
}
type FieldType = 'array' | 'integer' | 'number' | 'object' | 'string';

/** What the rows of all automations have alike. */
export function registryRow(
  { slug, name, description, version, takes, gives }: AutomationPlan,
  createdAt: string,
  updatedAt: string,
): Omit<
  AutomationRecord,
  'id' | 'tenantId' | 'type' | 'folderId' | 'triggers' | 'implementationAvailable'
> {
  return {
    slug,
    name,
    description,
    status: 'active',
    version,
    inputSchema: schemaOf(takes),
    outputSchema: schemaOf(gives),
    createdAt,
    updatedAt,
  };
}

function schemaOf(fields: AutomationPlan['takes']): Record<string, unknown> {
  const properties = Object.entries(fields).map(([name, type]) => [name, { type }] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
