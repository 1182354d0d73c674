import { RUN_STATUSES } from '@hookproof/spec';
import type { DeliveryStatus } from '@hookproof/spec/control';

import { isRecord } from '../json.ts';
import type { Tables } from './state.ts';

/** The members that a record of each table must have to be shown, with their kinds. */
const MEMBERS: Readonly<Record<keyof Tables, string>> = {
  worlds: 'id:text tenantId keys:record fixtures:record',
  tenants: 'id:text worldId slug name createdAt:time',
  users: 'id:text tenantId email name',
  apiKeys: 'id:text tenantId userId key name scope:texts createdAt:time revokedAt',
  automations:
    'id:text tenantId type slug name folderId triggers versions:records createdAt:time updatedAt',
  folders: 'id:text tenantId parentId name',
  agents: 'id:text tenantId slug name config stats archived createdAt:time updatedAt',
  templates: 'id:text tenantId name filename format tokens:records createdAt:time',
  reviewRequests:
    'id:text tenantId automationId title status createdAt:time items:records events:records',
  examples:
    'id:text tenantId automationId name number rowOrder createdAt:time input:records expected:records',
  evaluators: 'id:text tenantId yaml config',
  experiments: 'id:text tenantId automationId name createdAt:time scores',
  files: 'id:text tenantId filename contentType size sha256 createdAt:time expiresAt',
  uploads: 'id:text tenantId filename declared object createdAt:time expiresAt fileId completedAt',
  runs: 'id:text worldId tenantId automationId type status:runStatus createdAt:time outputFiles:records usage:record scheduledTransitions:steps history:steps',
  runReviews: 'id:text review expectedFiles:records',
  webhookEndpoints: 'id:text worldId url headers secret enabled createdAt:time',
  events: 'id:text worldId type runId createdAt:time payload',
  deliveries:
    'id:text eventId endpointId type status:deliveryStatus createdAt:time nextAttemptAt attempts:records manualRequests:records',
};

const isRunStatus = (value: unknown): boolean => RUN_STATUSES.some((status) => status === value);

const DELIVERY_STATUSES: readonly unknown[] = [
  'pending',
  'delivered',
  'ended',
] satisfies DeliveryStatus[];

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  time: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  runStatus: isRunStatus,
  deliveryStatus: (value) => DELIVERY_STATUSES.includes(value),
  record: isRecord,
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  records: (value) => Array.isArray(value) && value.every(isRecord),
  steps: (value) =>
    Array.isArray(value) && value.every((step) => isRecord(step) && isRunStatus(step['status'])),
};

/** Returns the first member of a record that is missing or of the wrong kind, or null. */
export function findInvalidMember(table: string, record: unknown): string | null {
  const members = Object.entries(MEMBERS).find(([name]) => name === table)?.[1] ?? '';
  for (const member of members.split(' ')) {
    const [name = '', kind = ''] = member.split(':');
    const value: unknown = Object(record)[name];
    if (value === undefined || KINDS[kind]?.(value) === false) return name;
  }
  return null;
}
