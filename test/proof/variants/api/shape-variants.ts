import { contractSchema, isRecord } from '@hookproof/conformance/hooks';
import {
  count,
  editEntries,
  editEveryObject,
  editResponse,
  isFields,
  onResponse,
  recordsIn,
} from '@hookproof/conformance/proof/kit/api';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { editJson } from '@hookproof/conformance/proof/kit/message';
import type { Fields } from '@hookproof/conformance/proof/kit/message';

type Edit = (fields: Fields) => unknown;

const UPDATE = 'updateDatasetReviewRequest';
const MOVE = 'moveAutomation';
const CLEAR = 'clearRunReviews';
const TEMPLATES = 'listTemplates';
const INBOX = 'listDatasetReviewRequests';

/** Operations with a JSON object as their response. */
const JSON_OPERATIONS = [
  INBOX,
  TEMPLATES,
  'listAgents',
  UPDATE,
  MOVE,
  'renameExpectedFile',
  CLEAR,
  'copyOutputToExpected',
  'getRunUsage',
  'completeFileUpload',
  'getFile',
  'getExperiment',
];

/** Resources whose fields may lack a value, each with where it occurs. */
const OPTIONAL: Readonly<
  Record<string, { operation: string; find: (response: Fields) => Fields[] }>
> = {
  ReviewItem: { operation: UPDATE, find: (response) => recordsIn(response['items']) },
  ReviewEvent: { operation: UPDATE, find: (response) => recordsIn(response['events']) },
  SnapshotManifest: {
    operation: UPDATE,
    find: (response) =>
      recordsIn(response['items']).flatMap((item) => [item['snapshotManifest']].filter(isFields)),
  },
  Automation: { operation: MOVE, find: (response) => [response] },
  AutomationTriggers: {
    operation: MOVE,
    find: (response) => [response['triggers']].filter(isFields),
  },
  RunReview: { operation: CLEAR, find: (response) => [response['review']].filter(isFields) },
  TemplateToken: {
    operation: TEMPLATES,
    find: (response) => recordsIn(response['items']).flatMap((one) => recordsIn(one['tokens'])),
  },
};

/** The folder of a moved workflow is what its requirements are about. */
const NEEDED: readonly string[] = ['folderId', 'folderPath'];

/** Additional and missing members, and values that the contract does not list. */
export const shapeVariants: readonly Variant[] = [
  ...JSON_OPERATIONS.map((operation) =>
    variant({
      id: `extra-members-${operation}`,
      takes: 'versioning.wire.extra-members',
      at: operation,
      does: `The response to ${operation} has additional members, at every level.`,
      api: editResponse(operation, (fields) => {
        for (const [name, value] of Object.entries(fields)) fields[name] = extended(value);
        fields['extension'] = { anything: [1] };
      }),
    }),
  ),
  ...Object.entries(OPTIONAL).flatMap(([schema, { operation, find }]) => {
    const { properties = {}, required = [] } = contractSchema(schema);
    const names = Object.keys(properties).filter(
      (name) => !required.includes(name) && !NEEDED.includes(name),
    );
    return [
      variant({
        id: `${schema}-absent`,
        takes: 'versioning.wire.presence',
        at: schema,
        does: `Every field of ${schema} that does not identify it is absent.`,
        api: editResponse(operation, (response) => {
          for (const one of find(response)) for (const name of names) delete one[name];
        }),
      }),
      variant({
        id: `${schema}-null`,
        takes: 'versioning.wire.presence',
        at: schema,
        does: `Every field of ${schema} that does not identify it is null.`,
        api: editResponse(operation, (response) => {
          for (const one of find(response)) for (const name of names) one[name] = null;
        }),
      }),
    ];
  }),
  variant({
    id: 'root-folder-absent',
    takes: 'versioning.wire.presence',
    at: 'folder',
    does: 'folderId and folderPath of a workflow at the root are absent.',
    api: editResponse(MOVE, (moved) => {
      for (const name of NEEDED) if (moved[name] === null) delete moved[name];
    }),
  }),
  ...variantsOf({
    takes: 'versioning.wire.timestamp-format',
    at: 'body',
    api: timesWritten,
    rows: {
      'timestamps-whole-seconds': [
        'Timestamps are in whole seconds.',
        (time) => time.replace(/\.[0-9]+/, ''),
      ],
      'timestamps-with-offset': [
        'Timestamps have the offset +00:00.',
        (time) => time.replace('Z', '+00:00'),
      ],
      'timestamps-with-another-offset': [
        'Timestamps have the offset +02:00.',
        (time) => new Date(Date.parse(time) + 7_200_000).toISOString().replace('Z', '+02:00'),
      ],
      'timestamps-in-microseconds': [
        'Timestamps are in microseconds.',
        (time) => time.replace('Z', '123Z'),
      ],
      'timestamps-in-words': ['Timestamps are HTTP dates.', (time) => new Date(time).toUTCString()],
    },
  }),
  variant({
    id: 'empty-request-is-incomplete',
    takes: 'inbox.progress.empty-request',
    does: 'A review request without examples is incomplete.',
    api: editEveryObject((fields) => {
      if (fields['total'] === 0 && 'complete' in fields) fields['complete'] = false;
    }),
  }),
  variant({
    id: 'keys-with-more-scopes',
    takes: 'scope.mapping',
    does: 'The auth check reports further scopes of a key.',
    api: editResponse('checkAuth', (body) => {
      const { scope } = body;
      if (Array.isArray(scope)) body['scope'] = ['profile:read', ...scope];
    }),
  }),
  ...variantsOf({
    takes: 'review-update.event.action-values',
    api: (action: string) => editEvents((event) => (event['action'] = action)),
    rows: {
      'event-actions-other': ['Events have other actions.', 'metadata.changed'],
      'event-actions-created': ['Every event has the action created.', 'created'],
    },
  }),
  ...variantsOf({
    takes: 'states.item.values',
    api: (status: string) => editItems((item) => (item['status'] = status)),
    rows: {
      'item-status-rejected': ['Items have the status rejected.', 'rejected'],
      'item-status-skipped': ['Items have the status skipped.', 'skipped'],
      'item-status-needs_work': ['Items have the status needs_work.', 'needs_work'],
    },
  }),
  ...variantsOf({
    takes: 'automation-move.automation.status-values',
    api: (status: string) => editResponse(MOVE, (moved) => (moved['status'] = status)),
    rows: {
      'automation-status-0': ['An automation has the status "published".', 'published'],
      'automation-status-1': ['An automation has the status "ARCHIVED".', 'ARCHIVED'],
      'automation-status-2': ['An automation has the status "".', ''],
    },
  }),
  ...variantsOf({
    takes: 'automation-move.automation.version-format',
    api: (version: string) => editResponse(MOVE, (moved) => (moved['version'] = version)),
    rows: {
      'automation-version-dots': ['version of an automation is 1.4.2.', '1.4.2'],
      'automation-version-hash': ['version of an automation is 9f2c1e7.', '9f2c1e7'],
      'automation-version-date': ['version of an automation is 2026-03-01.', '2026-03-01'],
    },
  }),
  ...variantsOf({
    takes: 'agent.config',
    api: (edit: Edit) => editEntries('listAgents', 'data', edit),
    rows: {
      'agent-config-other': [
        'config of an agent is {"tools":["search"],"nested":{"any":1}}.',
        (agent) => (agent['config'] = { tools: ['search'], nested: { any: 1 } }),
      ],
      'agent-config-empty': ['config of an agent is {}.', (agent) => (agent['config'] = {})],
      'agent-config-absent': ['Agents have no config.', (agent) => delete agent['config']],
    },
  }),
  variant({
    id: 'template-revision-absent',
    takes: 'template.current-revision.presence',
    does: 'Templates have no currentRevision.',
    api: editEntries(TEMPLATES, 'items', (one) => delete one['currentRevision']),
  }),
  ...variantsOf({
    takes: 'template.token.kind-values',
    api: (kind: string) => editTokens((token) => (token['kind'] = kind)),
    rows: {
      'token-kind-block': ['Tokens have the kind block.', 'block'],
      'token-kind-loop': ['Tokens have the kind loop.', 'loop'],
    },
  }),
  ...variantsOf({
    takes: 'template.token.type-values',
    api: (type: string) => editTokens((token) => (token['type'] = type)),
    rows: {
      'token-type-number': ['Tokens have the type number.', 'number'],
      'token-type-date': ['Tokens have the type date.', 'date'],
    },
  }),
  ...variantsOf({
    takes: 'run-review.verdict-values',
    api: (verdict: string) => editReview((review) => (review['verdict'] = verdict)),
    rows: {
      'review-verdict-rework': ['An empty run review has the verdict rework.', 'rework'],
      'review-verdict-correct': ['An empty run review has the verdict correct.', 'correct'],
    },
  }),
  ...variantsOf({
    takes: 'run-review.status-values',
    api: (status: string) => editReview((review) => (review['status'] = status)),
    rows: {
      'review-status-resolved': ['An empty run review has the status resolved.', 'resolved'],
      'review-status-open': ['An empty run review has the status open.', 'open'],
    },
  }),
  variant({
    id: 'key-ids-are-counted',
    takes: 'status-code.404.malformed-id',
    does: 'Each tenant counts its keys, whose ids are these numbers.',
    api: editResponse('checkAuth', (fields, { key, ring = {} }) => {
      const own = Object.keys(ring).filter((name) => name !== 'otherTenant');
      const place = own.findIndex((name) => ring[name] === key);
      fields['keyId'] = String(Math.max(place, 0) + 1);
    }),
  }),
  variant({
    id: 'templates-are-counted',
    takes: 'status-code.404.malformed-id',
    does: 'Each tenant counts its templates, whose ids are these numbers.',
    api: editEntries(TEMPLATES, 'items', (entry, call) => {
      const { key = '', ring = {}, memory } = call;
      const tenant = ring['otherTenant'] === key ? key : (ring['wildcard'] ?? key);
      const name = `${tenant} ${String(entry['id'])}`;
      if (!memory.has(name)) memory.set(name, String(count(call, tenant)));
      entry['id'] = memory.get(name);
    }),
    silences: ['api.template.tenant-isolated'],
  }),
  variant({
    id: 'tenants-have-equal-templates',
    takes: 'status-code.404.malformed-id',
    does: 'Each tenant begins with the same templates, tpl_1 and so on.',
    api: editEntries(TEMPLATES, 'items', (entry, call) => {
      const { key = '', ring = {}, memory } = call;
      const tenant = ring['otherTenant'] === key ? key : (ring['wildcard'] ?? key);
      const name = `equal ${tenant} ${String(entry['id'])}`;
      if (!memory.has(name)) memory.set(name, count(call, `equal ${tenant}`));
      entry['id'] = `tpl_${String(memory.get(name))}`;
      entry['createdAt'] = '2026-01-01T00:00:00Z';
      entry['filename'] = 'invoice.docx';
    }),
    silences: ['api.template.tenant-isolated'],
  }),
  ...(['listAgents', 'listTemplates'] as const).map((operation) =>
    variant({
      id: `optional-fields-null-${operation}`,
      takes: 'versioning.wire.presence',
      at: operation,
      does: `Optional fields in the response to ${operation} are null.`,
      api: editEntries(operation, operation === 'listAgents' ? 'data' : 'items', (entry) => {
        const names = ['description', 'latestVersion', 'latestCommit', 'updatedAt', 'sha256'];
        for (const name of names) entry[name] = null;
        if (isFields(entry['stats'])) entry['stats']['lastExecutionAt'] = null;
      }),
    }),
  ),
  variant({
    id: 'optional-fields-null-in-errors',
    takes: 'versioning.wire.presence',
    at: 'errors',
    does: 'hint and docsUrl of an error are null.',
    api: onResponse('every', (response) =>
      response.status >= 400
        ? editJson(response, (fields) => {
            fields['hint'] = null;
            fields['docsUrl'] = null;
          })
        : response,
    ),
  }),
  variant({
    id: 'example-names-reversed-at-times',
    takes: 'inbox.order',
    at: 'exampleNames',
    does: 'exampleNames are in another order at every reading.',
    api: editEntries(INBOX, 'data', (entry, call) => {
      if (count(call) % 2 === 0 && Array.isArray(entry['exampleNames']))
        entry['exampleNames'] = entry['exampleNames'].toReversed();
    }),
  }),
];

const TIMES = /^(createdAt|updatedAt|closedAt|reviewedAt|lastExecutionAt)$/;

function timesWritten(write: (time: string) => string): Open {
  return editEveryObject((fields) => {
    for (const [member, value] of Object.entries(fields)) {
      if (TIMES.test(member) && typeof value === 'string') fields[member] = write(value);
    }
  });
}

function editEvents(edit: Edit): Open {
  return editResponse(UPDATE, ({ events }) => recordsIn(events).forEach(edit));
}

function editItems(edit: Edit): Open {
  return editResponse(UPDATE, ({ items }) => recordsIn(items).forEach(edit));
}

function editTokens(edit: Edit): Open {
  return editEntries(TEMPLATES, 'items', ({ tokens }) => recordsIn(tokens).forEach(edit));
}

function editReview(edit: Edit): Open {
  return editResponse(CLEAR, ({ review }) => {
    if (isFields(review)) edit(review);
  });
}

/** The value with an additional member in each object. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (!isRecord(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, extended(part)]);
  return { ...Object.fromEntries(parts), extension: true };
}
