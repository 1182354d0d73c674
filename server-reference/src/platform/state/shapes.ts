import type { StoredFile } from './datasets.ts';
import type { Kept } from './large-value.ts';
import type { Tables } from './state.ts';
import type { Table } from './table.ts';

/** The kind of a member, as a stored record must have it. */
type KindOf<Value> = null extends Value ? `${Plain<NonNullable<Value>>} or null` : Plain<Value>;
type Plain<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [Kept]
    ? 'value'
    : [Value] extends [number]
      ? 'number'
      : [Value] extends [boolean]
        ? 'boolean'
        : [Value] extends [readonly StoredFile[]]
          ? 'files'
          : [Value] extends [readonly unknown[]]
            ? 'list'
            : 'object';

/** The members that every record of a table has. Optional and unknown members are left out. */
type Shape<T> = {
  readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: KindOf<T[Name]>;
};

type Shapes = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<string, infer T> ? Shape<T> : never;
};

/**
 * What is read at the start must have these shapes. If you add a required member to a record, the compiler
 * demands its line here; add its default for older folders in `upgrade.ts`.
 */
export const SHAPES: Shapes = {
  worlds: { id: 'text', tenantId: 'text', keys: 'object', fixtures: 'object' },
  tenants: { id: 'text', worldId: 'text', slug: 'text', name: 'text', createdAt: 'text' },
  users: { id: 'text', tenantId: 'text', email: 'text', name: 'text' },
  apiKeys: {
    id: 'text',
    tenantId: 'text',
    userId: 'text',
    name: 'text',
    key: 'text',
    scope: 'list',
    wildcardGranted: 'boolean',
    createdAt: 'text',
    revokedAt: 'text or null',
  },
  automations: {
    id: 'text',
    tenantId: 'text',
    type: 'text',
    slug: 'text',
    name: 'text',
    description: 'text',
    status: 'text',
    version: 'text',
    folderId: 'text or null',
    triggers: 'object',
    inputSchema: 'object',
    outputSchema: 'object',
    implementationAvailable: 'boolean',
    versions: 'list',
    createdAt: 'text',
    updatedAt: 'text',
  },
  folders: { id: 'text', tenantId: 'text', parentId: 'text or null', name: 'text' },
  agents: {
    id: 'text',
    tenantId: 'text',
    slug: 'text',
    name: 'text',
    description: 'text',
    latestVersion: 'text',
    latestCommit: 'text',
    config: 'object',
    stats: 'object',
    archived: 'boolean',
    createdAt: 'text',
    updatedAt: 'text',
  },
  templates: {
    id: 'text',
    tenantId: 'text',
    name: 'text',
    filename: 'text',
    format: 'text',
    mimeType: 'text',
    tokens: 'list',
    grammar: 'object',
    createdAt: 'text',
  },
  reviewRequests: {
    id: 'text',
    tenantId: 'text',
    automationId: 'text',
    title: 'text',
    instructions: 'text or null',
    focusFields: 'list',
    ignoredFields: 'list',
    status: 'text',
    createdBy: 'text or null',
    createdAt: 'text',
    closedAt: 'text or null',
    items: 'list',
    events: 'list',
  },
  examples: {
    id: 'text',
    tenantId: 'text',
    automationId: 'text',
    name: 'text',
    createdAt: 'text',
    input: 'files',
    expected: 'files',
    number: 'number',
    inputJson: 'object or null',
    metadata: 'object or null',
    annotation: 'text or null',
    rowOrder: 'number or null',
    overrides: 'object or null',
    latestRunId: 'text or null',
    updatedAt: 'text or null',
  },
  evaluators: { id: 'text', tenantId: 'text', yaml: 'text', config: 'object' },
  experiments: {
    id: 'text',
    tenantId: 'text',
    automationId: 'text',
    name: 'text',
    createdAt: 'text',
    version: 'text or null',
    startedAt: 'text or null',
    completedAt: 'text or null',
    runCount: 'number',
    completedCount: 'number',
    passedCount: 'number',
    failedCount: 'number',
    scores: 'object',
  },
  files: {
    id: 'text',
    tenantId: 'text',
    filename: 'text',
    contentType: 'text',
    size: 'number',
    sha256: 'text',
    purpose: 'text or null',
    createdAt: 'text',
    expiresAt: 'text or null',
  },
  uploads: {
    id: 'text',
    tenantId: 'text',
    filename: 'text',
    contentType: 'text',
    purpose: 'text or null',
    declared: 'object',
    object: 'object or null',
    createdAt: 'text',
    expiresAt: 'text',
    fileId: 'text',
    completedAt: 'text or null',
    idempotencyKey: 'text or null',
  },
  runs: {
    id: 'text',
    worldId: 'text',
    tenantId: 'text',
    automationId: 'text',
    type: 'text',
    status: 'text',
    triggerType: 'text',
    createdAt: 'text',
    startedAt: 'text or null',
    completedAt: 'text or null',
    origin: 'text',
    outputFiles: 'files',
    usage: 'object',
    scheduledTransitions: 'list',
    history: 'list',
  },
  runReviews: { id: 'text', review: 'object or null', expectedFiles: 'files' },
  webhookEndpoints: {
    id: 'text',
    worldId: 'text',
    url: 'text',
    headers: 'object',
    secret: 'text',
    enabled: 'boolean',
    createdAt: 'text',
  },
  events: {
    id: 'text',
    worldId: 'text',
    type: 'text',
    runId: 'text or null',
    test: 'boolean',
    createdAt: 'text',
    payload: 'value',
  },
  deliveries: {
    id: 'text',
    eventId: 'text',
    endpointId: 'text',
    runId: 'text or null',
    type: 'text',
    status: 'text',
    endReason: 'text or null',
    nextAttemptAt: 'text or null',
    createdAt: 'text',
    attempts: 'list',
    manualRequests: 'list',
  },
  responseBodies: { id: 'text', text: 'text', uses: 'number' },
};

interface Member {
  readonly name: string;
  readonly kind: string;
  readonly isValid: (value: unknown) => boolean;
  readonly canBeNull: boolean;
}

/** Prepared, because the check runs for every record at the start. */
const MEMBERS: ReadonlyMap<string, readonly Member[]> = new Map(
  Object.entries(SHAPES).map(([table, shape]) => [
    table,
    Object.entries<string>(shape).map(([name, kind]): Member => {
      const [plain = '', orNull] = kind.split(' or ');
      return { name, kind, isValid: checkOf(plain), canBeNull: orNull !== undefined };
    }),
  ]),
);

/** Returns what is wrong with a stored record, as in `size must be number`, or null. */
export function findMisfit(table: keyof Tables, record: unknown): string | null {
  if (!isObject(record)) return 'it must be an object';
  for (const { name, kind, isValid, canBeNull } of MEMBERS.get(table) ?? []) {
    const value: unknown = Reflect.get(record, name);
    if (!isValid(value) && !(canBeNull && value === null)) return `${name} must be ${kind}`;
  }
  return null;
}

function checkOf(kind: string): (value: unknown) => boolean {
  switch (kind) {
    case 'text':
      return (value) => typeof value === 'string';
    case 'value':
      return (value) => value !== undefined;
    case 'object':
      return isObject;
    case 'list':
      return Array.isArray;
    case 'files':
      return (value) => Array.isArray(value) && value.every(isFile);
    default:
      return (value) => typeof value === kind;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFile(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'sha256' in value &&
    typeof value.sha256 === 'string'
  );
}
