import { contractSchema } from '../../check-kit/schema.ts';
import { isRecord } from '../../http/message.ts';
import { jsonOf, withJson } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import { variant } from '../kit/defect.ts';
import type { Variant } from '../kit/defect.ts';
import {
  onResponse,
  editResponse,
  editEntries,
  isSuccess,
  recordsIn,
  isFields,
} from '../kit/api.ts';

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
const OPEN: Readonly<Record<string, { operation: string; find: (response: Fields) => Fields[] }>> =
  {
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

const FORMATS: readonly (readonly [word: string, what: string, write: (time: Date) => string])[] = [
  ['whole-seconds', 'in whole seconds', (time) => time.toISOString().replace(/\.\d+Z$/, 'Z')],
  [
    'offset',
    'with an offset',
    (time) => new Date(time.getTime() + 7_200_000).toISOString().replace('Z', '+02:00'),
  ],
  ['microseconds', 'in microseconds', (time) => time.toISOString().replace('Z', '123Z')],
  ['words', 'as HTTP dates', (time) => time.toUTCString()],
];

/** Additional and missing members, formats of times, and values that the contract does not list. */
export const shapeVariants: readonly Variant[] = [
  ...JSON_OPERATIONS.map((operation) =>
    variant({
      id: `extra-members-${operation}`,
      takes: 'versioning.wire.extra-members',
      does: `The response to ${operation} has additional members, at every level.`,
      api: editResponse(operation, (fields) => {
        for (const [name, value] of Object.entries(fields)) fields[name] = extended(value);
        fields['extension'] = { anything: [1] };
      }),
    }),
  ),
  ...Object.entries(OPEN).flatMap(([schema, { operation, find }]) => {
    const { properties = {}, required = [] } = contractSchema(schema);
    const names = Object.keys(properties).filter(
      (name) => !required.includes(name) && !NEEDED.includes(name),
    );
    return [
      variant({
        id: `${schema}-absent`,
        takes: 'versioning.wire.presence',
        does: `Every field of ${schema} that does not identify it is absent.`,
        api: editResponse(operation, (response) => {
          for (const one of find(response)) for (const name of names) delete one[name];
        }),
      }),
      variant({
        id: `${schema}-null`,
        takes: 'versioning.wire.presence',
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
    does: 'folderId and folderPath of a workflow at the root are absent.',
    api: editResponse(MOVE, (moved) => {
      for (const name of NEEDED) if (moved[name] === null) delete moved[name];
    }),
  }),
  ...FORMATS.map(([word, what, format]) =>
    variant({
      id: `api-times-${word}`,
      takes: 'versioning.wire.timestamp-format',
      does: `Timestamps of the API are written ${what}.`,
      api: onResponse(
        JSON_OPERATIONS.filter((operation) => operation !== 'getFile'),
        (response) => {
          const json = jsonOf(response);
          return isSuccess(response) && isRecord(json)
            ? withJson(response, reformatted(json, format))
            : response;
        },
      ),
    }),
  ),
  variant({
    id: 'event-actions-other',
    takes: 'review-update.event.action-values',
    does: 'Events have other actions.',
    api: editResponse(UPDATE, (detail) => {
      for (const event of recordsIn(detail['events'])) event['action'] = 'metadata.changed';
    }),
  }),
  variant({
    id: 'event-actions-created',
    takes: 'review-update.event.action-values',
    does: 'Every event has the action created.',
    api: editResponse(UPDATE, (detail) => {
      for (const event of recordsIn(detail['events'])) event['action'] = 'created';
    }),
  }),
  ...['rejected', 'skipped', 'needs_work'].map((status) =>
    variant({
      id: `item-status-${status}`,
      takes: 'states.item.values',
      does: `Items have the status ${status}.`,
      api: editResponse(UPDATE, (detail) => {
        for (const item of recordsIn(detail['items'])) item['status'] = status;
      }),
    }),
  ),
  ...['published', 'ARCHIVED', ''].map((status, index) =>
    variant({
      id: `automation-status-${index}`,
      takes: 'automation-move.automation.status-values',
      does: `An automation has the status "${status}".`,
      api: editResponse(MOVE, (moved) => {
        moved['status'] = status;
      }),
    }),
  ),
  ...Object.entries({ dots: '1.4.2', hash: '9f2c1e7', date: '2026-03-01' }).map(([word, version]) =>
    variant({
      id: `automation-version-${word}`,
      takes: 'automation-move.automation.version-format',
      does: `version of an automation is ${version}.`,
      api: editResponse(MOVE, (moved) => {
        moved['version'] = version;
      }),
    }),
  ),
  ...Object.entries({ other: { tools: ['search'], nested: { any: 1 } }, empty: {} }).map(
    ([word, config]) =>
      variant({
        id: `agent-config-${word}`,
        takes: 'agent.config',
        does: `config of an agent is ${JSON.stringify(config)}.`,
        api: editEntries('listAgents', 'data', (agent) => (agent['config'] = config)),
      }),
  ),
  variant({
    id: 'agent-config-absent',
    takes: 'agent.config',
    does: 'Agents have no config.',
    api: editEntries('listAgents', 'data', (agent) => delete agent['config']),
  }),
  variant({
    id: 'template-revision-absent',
    takes: 'template.current-revision.presence',
    does: 'Templates have no currentRevision.',
    api: editEntries(TEMPLATES, 'items', (one) => delete one['currentRevision']),
  }),
  ...Object.entries({ kind: 'block', type: 'number' }).map(([member, value]) =>
    variant({
      id: `token-${member}-${value}`,
      takes: `template.token.${member}-values`,
      does: `Tokens have the ${member} ${value}.`,
      api: editEntries(TEMPLATES, 'items', (one) => {
        for (const token of recordsIn(one['tokens'])) token[member] = value;
      }),
    }),
  ),
  ...Object.entries({ verdict: ['rework', 'correct'], status: ['resolved', 'open'] }).flatMap(
    ([member, values]) =>
      values.map((value) =>
        variant({
          id: `review-${member}-${value}`,
          takes: `run-review.${member}-values`,
          does: `An empty run review has the ${member} ${value}.`,
          api: editResponse(CLEAR, ({ review }) => {
            if (isFields(review)) review[member] = value;
          }),
        }),
      ),
  ),
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
    api: editEntries(TEMPLATES, 'items', (entry, { key = '', ring = {}, memory }) => {
      const tenant = ring['otherTenant'] === key ? key : (ring['wildcard'] ?? key);
      const name = `${tenant} ${String(entry['id'])}`;
      const count = Number(memory.get(tenant) ?? 0) + 1;
      if (!memory.has(name)) memory.set(tenant, count).set(name, String(count));
      entry['id'] = memory.get(name);
    }),
    silences: ['api.template.tenant-isolated'],
  }),
  variant({
    id: 'example-names-reversed-at-times',
    takes: 'inbox.order',
    does: 'exampleNames are in another order at every reading.',
    api: editEntries(INBOX, 'data', (entry, { memory }) => {
      const turn = Number(memory.get('turn') ?? 0) + 1;
      memory.set('turn', turn);
      if (Array.isArray(entry['exampleNames']) && turn % 2 === 0)
        entry['exampleNames'] = entry['exampleNames'].toReversed();
    }),
  }),
];

/** The value with an additional member in each object. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (!isRecord(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, extended(part)]);
  return { ...Object.fromEntries(parts), extension: true };
}

/** The value with every ISO 8601 time in another format. */
function reformatted(value: unknown, format: (time: Date) => string): unknown {
  if (Array.isArray(value)) return value.map((part) => reformatted(part, format));
  if (isRecord(value)) {
    const parts = Object.entries(value).map(([name, part]) => [name, reformatted(part, format)]);
    return Object.fromEntries(parts);
  }
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return isTime ? format(new Date(value)) : value;
}
