import type { Tables } from './state.ts';

/** The members that a record of each table must have to be shown; `[]` marks a list. */
const MEMBERS: Readonly<Record<keyof Tables, string>> = {
  worlds: 'id tenantId keys fixtures',
  tenants: 'id worldId slug name createdAt',
  users: 'id tenantId email name',
  apiKeys: 'id tenantId userId key name scope[] createdAt revokedAt',
  automations: 'id tenantId type slug name folderId triggers versions[] createdAt updatedAt',
  folders: 'id tenantId parentId name',
  agents: 'id tenantId slug name config stats archived createdAt updatedAt',
  templates: 'id tenantId name filename format tokens[] createdAt',
  reviewRequests: 'id tenantId automationId title status createdAt items[] events[]',
  examples: 'id tenantId automationId name number rowOrder createdAt input[] expected[]',
  evaluators: 'id tenantId yaml config',
  experiments: 'id tenantId automationId name createdAt scores',
  files: 'id tenantId filename contentType size sha256 createdAt expiresAt',
  uploads: 'id tenantId filename declared object createdAt expiresAt fileId completedAt',
  runs: 'id worldId tenantId automationId type status createdAt outputFiles[] usage scheduledTransitions[] history[]',
  runReviews: 'id review expectedFiles[]',
  webhookEndpoints: 'id worldId url headers secret enabled createdAt',
  events: 'id worldId type runId createdAt payload',
  deliveries:
    'id eventId endpointId type status createdAt nextAttemptAt attempts[] manualRequests[]',
};

/** Returns the first member of a record that is missing or of the wrong kind, or null. */
export function findInvalidMember(table: string, record: unknown): string | null {
  const members =
    Object.entries(MEMBERS)
      .find(([name]) => name === table)?.[1]
      .split(' ') ?? [];
  const invalid = members.find((member) => {
    const value: unknown = Object(record)[member.replace('[]', '')];
    if (member === 'id') return typeof value !== 'string';
    return member.endsWith('[]') ? !Array.isArray(value) : value === undefined;
  });
  return invalid?.replace('[]', '') ?? null;
}
