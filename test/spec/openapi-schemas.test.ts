import type { JsonSchema } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';
import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { COMPANION_TABLES, COUNTER, MAYBE } from './companion-tables.ts';
import { compileComponent, compileSchema } from './openapi-validator.ts';
import { RUN_SCHEMAS } from './run-schemas.ts';

// The field tables, written from the contract and not from openapi.yaml. `!` after a name: required. A field whose
// presence the contract leaves open can be null: `versioning.wire.presence`.
const WIDE = 'integer -9007199254740991..9007199254740991';
const REVIEW = {
  'id!': 'string',
  'automationId!': 'string',
  'title!': 'string',
  'instructions!': MAYBE,
  'focusFields!': 'FocusField[]',
  'ignoredFields!': 'string[]',
  'status!': 'ReviewStatus',
  'exampleNames!': 'string[]',
  'createdBy!': MAYBE,
  'createdAt!': 'string',
  'closedAt!': MAYBE,
};
const PROGRESS = {
  'total!': COUNTER,
  'pending!': COUNTER,
  'approved!': COUNTER,
  'edited!': COUNTER,
  'remaining!': COUNTER,
  'complete!': 'boolean',
};
const EVENT = {
  'id!': 'string /^whev_/',
  'apiVersion!': 'string',
  'createdAt!': 'string date-time',
  'test!': 'boolean',
};

const TABLES: Record<string, Record<string, string>> = {
  FocusField: { 'path!': 'string 1+', reason: 'string|null 1+' },
  ReviewProgress: { ...PROGRESS, 'removed!': COUNTER },
  ReviewProgressDetail: { ...PROGRESS, 'rejected!': COUNTER },
  DatasetReviewRequest: { ...REVIEW, 'progress!': 'ReviewProgress', 'automationName!': 'string' },
  DatasetReviewRequestDetail: {
    ...REVIEW,
    'progress!': 'ReviewProgressDetail',
    'items!': 'ReviewItem[]',
    'events!': 'ReviewEvent[]',
  },
  DatasetReviewRequestList: {
    'data!': 'DatasetReviewRequest[]',
    'total!': 'integer',
    'limit!': 'integer',
    'offset!': 'integer',
  },
  DatasetReviewRequestUpdate: {
    title: 'string',
    instructions: 'string',
    focusFields: 'FocusField[]',
    ignoredFields: 'string[]',
    status: 'ReviewStatus',
  },
  ReviewItem: {
    'id!': 'string',
    'reviewId!': 'string',
    'exampleName!': 'string',
    snapshotInputJson: 'object|null',
    snapshotExpectedJson: 'any',
    snapshotManifest: 'SnapshotManifest|null',
    status: MAYBE,
    currentExpectedJson: 'any',
    fieldDecisions: 'object|null',
    inputDrifted: 'boolean|null',
    updatedBy: MAYBE,
    updatedAt: MAYBE,
  },
  SnapshotManifest: {
    expectedFiles: '{name!: string}[]|null',
    metadata: 'object|null',
    inputFileHashes: '{path!: string, sha256!: string}[]|null',
  },
  ReviewEvent: {
    'id!': 'string',
    'reviewId!': 'string',
    itemId: MAYBE,
    actorUserId: MAYBE,
    action: MAYBE,
    diffSummary: 'any',
    createdAt: MAYBE,
  },
  // Only the empty review is ever returned, so each field can be null.
  RunReview: {
    id: MAYBE,
    verdict: MAYBE,
    status: MAYBE,
    note: MAYBE,
    reviewedBy: MAYBE,
    reviewedByEmail: MAYBE,
    reviewedAt: MAYBE,
    closedBy: MAYBE,
    closedByEmail: MAYBE,
    closedAt: MAYBE,
    closedNote: MAYBE,
    createdAt: MAYBE,
    updatedAt: MAYBE,
    corrections: 'ReviewCorrection[]|null',
    correctedOutput: 'any',
  },
  ReviewCorrection: {
    'id!': 'string',
    kind: MAYBE,
    path: MAYBE,
    label: MAYBE,
    note: MAYBE,
    createdAt: MAYBE,
    updatedAt: MAYBE,
    originalValue: 'any',
    correctedValue: 'any',
    correctedArtifactPath: MAYBE,
  },
  Automation: {
    'id!': 'string /^(wf|agent)_/',
    'type!': 'AutomationType',
    'slug!': 'string',
    'name!': 'string',
    folderId: MAYBE,
    folderPath: MAYBE,
    createdAt: MAYBE,
    description: MAYBE,
    status: MAYBE,
    version: MAYBE,
    triggers: 'AutomationTriggers|null',
    implementationAvailable: 'boolean|null',
    updatedAt: MAYBE,
    inputSchema: 'object|null',
    outputSchema: 'object|null',
  },
  AutomationTriggers: {
    api: 'boolean|null',
    email: 'boolean|null',
    manual: 'boolean|null',
    cron: 'boolean|null',
  },
  AutomationMove: { folderId: MAYBE, folderPath: 'string' },
  Agent: {
    'id!': 'string',
    'slug!': 'string',
    'name!': 'string',
    'createdAt!': 'string',
    description: 'string',
    latestVersion: 'string',
    latestCommit: 'string',
    updatedAt: 'string',
    config: 'object',
    stats: 'AgentStats',
  },
  AgentStats: {
    exampleCount: 'integer',
    totalExecutions: 'integer',
    lastExecutionAt: 'string',
    avgDurationMs: 'number',
    avgCredits: 'number',
  },
  AgentList: { 'data!': 'Agent[]', 'total!': WIDE, 'limit!': WIDE, 'offset!': WIDE },
  ExpectedFileRename: { newFilename: 'string' },
  ExpectedFileRenamed: { 'ok!': 'boolean', 'filename!': 'string', 'path!': 'string' },
  FeedbackExpectedCopy: { 'outputFileName!': 'string', expectedName: 'string' },
  FeedbackExpectedCopied: { 'name!': 'string' },
  File: {
    'id!': 'string',
    'filename!': 'string',
    'contentType!': 'string',
    'size!': WIDE,
    'createdAt!': 'string',
    purpose: MAYBE,
  },
  Template: {
    'id!': 'string',
    'name!': 'string',
    'filename!': 'string',
    'format!': 'docx/xlsx',
    'mimeType!': 'string',
    'tokens!': 'TemplateToken[]',
    'grammar!': 'TemplateGrammar',
    'createdAt!': 'string',
    description: 'string',
    size: 'integer',
    sha256: 'string',
    currentRevision: 'TemplateRevision',
    updatedAt: 'string',
  },
  TemplateToken: {
    'name!': 'string',
    path: 'string[]|null',
    kind: MAYBE,
    type: MAYBE,
    required: 'boolean|null',
    description: MAYBE,
  },
  TemplateGrammar: { syntax: 'string', tokenDiscovery: 'boolean', capabilities: 'string[]' },
  TemplateRevision: { id: 'string', number: 'integer', sha256: 'string', createdAt: 'string' },
  TemplateList: { 'items!': 'Template[]', 'total!': 'integer' },
  RunUsage: {
    'tokens!': '{input!: integer, output!: integer, cacheRead!: integer, cacheWrite!: integer}',
    'creditsCharged!': 'number',
    'durationMs!': 'number',
    'llmCallCount!': 'number',
    'ocrPagesProcessed!': 'number',
    'agentTurns!': 'number',
  },
  ExperimentReference: { 'id!': 'string', 'automationId!': 'string' },
  ApiKeyIdentity: {
    'ok!': 'boolean',
    'tenantId!': 'string',
    tenantSlug: 'string',
    tenantName: 'string',
    'userId!': 'string',
    'keyId!': 'string',
    email: 'string',
    name: 'string',
    'scope!': 'string[]',
    'wildcardGranted!': 'boolean',
  },
  ErrorEnvelope: {
    'issues!': 'Issue[]',
    'requestId!': 'string',
    hint: 'string',
    docsUrl: 'string',
    conflictingWorkflowId: 'string',
  },
  Issue: {
    'field!': 'string',
    'message!': 'string',
    'code!': 'string',
    'severity!': 'error/warning',
  },
  RunSnapshot: {
    'id!': 'string',
    'automationId!': 'string /^(wf|agent)_/',
    'type!': 'AutomationType',
    'status!': 'RunStatus',
    'triggerType!': 'string',
    'createdAt!': 'string date-time',
    'startedAt!': MAYBE,
    'completedAt!': MAYBE,
    output: 'any',
    outputOmitted: 'boolean',
  },
  RunCreatedEvent: {
    ...EVENT,
    'type!': 'run.created',
    'data!': '{run!: RunSnapshot, previousStatus: never, currentStatus: never}',
  },
  RunStatusChangedEvent: {
    ...EVENT,
    'type!': 'run.status_changed',
    'data!': '{run!: RunSnapshot, previousStatus!: RunStatus, currentStatus!: RunStatus}',
  },
};

const ALL_TABLES = { ...TABLES, ...COMPANION_TABLES, ...RUN_SCHEMAS };

const ENUMERATIONS: Record<string, string> = {
  AutomationType: 'workflow/agent',
  ExperimentFormat: 'csv/json',
  ExperimentStatus: 'queued/running/completed',
  ReviewStatus: 'draft/open/paused/closed',
  RunStatus: 'created/pending/running/waiting/finalizing/completed/failed/cancelled/rejected',
};

const { schemas } = loadServerDocument().components;

function describe(schema: JsonSchema | false): string {
  if (schema === false) return 'never';
  if (schema.$ref !== undefined) return schema.$ref.slice('#/components/schemas/'.length);
  if (schema.anyOf !== undefined) return schema.anyOf.map(describe).join('|');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum !== undefined) return schema.enum.join('/');
  if (schema.properties !== undefined) return `{${fieldsOf(schema).join(', ')}}`;
  const types = [schema.type ?? 'any'].flat();
  const text = types.map((type) => (type === 'array' ? `${describe(schema.items ?? {})}[]` : type));
  return [
    text.join('|'),
    schema.minimum === undefined ? '' : ` ${schema.minimum}..${schema.maximum}`,
    schema.minLength === undefined ? '' : ` ${schema.minLength}+`,
    schema.pattern === undefined ? '' : ` /${schema.pattern}/`,
    schema.format === undefined ? '' : ` ${schema.format}`,
  ].join('');
}

function fieldsOf({ properties = {}, required = [], allOf = [] }: JsonSchema): string[] {
  const own = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '!' : ''}: ${describe(schema)}`,
  );
  const parts = allOf.flatMap((part) =>
    part.$ref === undefined ? fieldsOf(part) : [`all of: ${describe(part)}`],
  );
  return [...own, ...parts];
}

test.each(Object.entries(ALL_TABLES))('%s has the fields of its table', (name, table) => {
  const fields = Object.entries(table).map(([field, type]) => `${field}: ${type}`);
  expect(fieldsOf(schemas[name] ?? {}).toSorted()).toEqual(fields.toSorted());
});

test.each(Object.entries(ENUMERATIONS))(
  '%s has exactly the values of the contract',
  (name, values) => {
    expect(describe(schemas[name] ?? {})).toBe(values);
  },
);

test('every schema has a table', () => {
  const known = [
    ...Object.keys(ALL_TABLES),
    ...Object.keys(ENUMERATIONS),
    'RunEvent',
    'FileUpload',
  ];
  expect(Object.keys(schemas).toSorted()).toEqual(known.toSorted());
});

test('no schema of the contract refers to a schema of a companion operation', () => {
  const ofContract = Object.keys(TABLES).map((name) => JSON.stringify(schemas[name]));
  for (const name of Object.keys({ ...COMPANION_TABLES, ...RUN_SCHEMAS })) {
    expect(ofContract.join('')).not.toContain(`"#/components/schemas/${name}"`);
  }
});

/** What the reference server checks is no rule of the contract. */
function withoutReference(name: string, value: unknown): unknown {
  return name === 'x-reference-constraints' ? undefined : value;
}

test('only the error envelope is closed', () => {
  const closed = Object.entries(schemas).filter(([, schema]) =>
    JSON.stringify(schema, withoutReference).includes('"additionalProperties":false'),
  );
  expect(closed.map(([name]) => name)).toEqual(['ErrorEnvelope']);
  expect(schemas['ErrorEnvelope']?.additionalProperties).toBe(false);
});

test.each(Object.keys(schemas))('%s compiles as JSON Schema 2020-12', (name) => {
  expect(compileComponent(name)).toBeTypeOf('function');
});

test('an unknown keyword of JSON Schema is refused', () => {
  expect(() => compileSchema({ type: 'string', minLenght: 1 })).toThrow(
    'unknown keyword: "minLenght"',
  );
});
