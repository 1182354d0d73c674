import { isRecord } from '../../../http/message.ts';
import { editJson, jsonOf, withJson } from '../../kit/message.ts';
import type { Fields } from '../../kit/message.ts';
import { variant, variantsOf } from '../../kit/defect.ts';
import type { Open, Variant } from '../../kit/defect.ts';
import { editResponse, onResponse, onJson, isSuccess, editObjects } from '../../kit/api.ts';

const TIMES = /^(createdAt|updatedAt|closedAt|reviewedAt|lastExecutionAt)$/;

/** Members that the contract lists without saying that they are always present. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  moveAutomation: [
    'description',
    'status',
    'version',
    'triggers',
    'implementationAvailable',
    'updatedAt',
    'inputSchema',
    'outputSchema',
    'createdAt',
  ],
  'updateDatasetReviewRequest items': [
    'snapshotInputJson',
    'snapshotExpectedJson',
    'snapshotManifest',
    'currentExpectedJson',
    'fieldDecisions',
    'inputDrifted',
    'updatedBy',
    'updatedAt',
  ],
  'updateDatasetReviewRequest events': [
    'itemId',
    'actorUserId',
    'action',
    'diffSummary',
    'createdAt',
  ],
  'listTemplates tokens': ['path', 'kind', 'type', 'required', 'description'],
};

/** Values without a fixed form, and members without a value. */
export const valueVariants: readonly Variant[] = [
  ...Object.entries(OPTIONAL).flatMap(([operationAndMember, names]) => [
    presence(operationAndMember, names, 'absent', (fields, name) => delete fields[name]),
    presence(operationAndMember, names, 'null', (fields, name) => (fields[name] = null)),
  ]),
  ...Object.entries<readonly [string, (time: string) => string]>({
    'whole-seconds': ['Sends times in whole seconds.', (time) => time.replace(/\.[0-9]+/, '')],
    'with-offset': ['Sends times with an offset.', (time) => time.replace('Z', '+00:00')],
    'in-microseconds': ['Sends times in microseconds.', (time) => time.replace('Z', '000Z')],
    'in-words': ['Sends times as text.', (time) => new Date(time).toUTCString()],
  }).map(([name, [does, spell]]) =>
    variant({
      id: `timestamps-${name}`,
      takes: 'versioning.wire.timestamp-format',
      does,
      api: everyObject((fields) => {
        for (const [member, value] of Object.entries(fields)) {
          if (TIMES.test(member) && typeof value === 'string') fields[member] = spell(value);
        }
      }),
    }),
  ),
  variant({
    id: 'empty-request-is-incomplete',
    takes: 'inbox.progress.empty-request',
    does: 'Reports a review request without examples as incomplete.',
    api: everyObject((fields) => {
      if (fields['total'] === 0 && 'complete' in fields) fields['complete'] = false;
    }),
  }),
  ...variantsOf({
    takes: 'agent.config',
    api: everyObject,
    rows: {
      'config-is-empty': [
        'Sends an empty config.',
        (fields) => 'config' in fields && (fields['config'] = {}),
      ],
      'config-is-absent': ['Sends no config.', (fields) => delete fields['config']],
    },
  }),
  variant({
    id: 'no-current-revision',
    takes: 'template.current-revision.presence',
    does: 'Sends no current revision.',
    api: everyObject((fields) => delete fields['currentRevision']),
  }),
  variant({
    id: 'token-kinds',
    takes: 'template.token.kind-values',
    does: 'Has other kinds of tokens.',
    api: everyObject((fields) => fields['kind'] === 'variable' && (fields['kind'] = 'loop')),
  }),
  variant({
    id: 'token-types',
    takes: 'template.token.type-values',
    does: 'Has other types of tokens.',
    api: everyObject((fields) => fields['type'] === 'string' && (fields['type'] = 'date')),
  }),
  variant({
    id: 'keys-with-more-scopes',
    does: 'Reports further scopes of a key.',
    takes: 'scope.mapping',
    api: editResponse('checkAuth', (body) => {
      const { scope } = body;
      if (Array.isArray(scope)) body['scope'] = ['profile:read', ...scope];
    }),
  }),
];

function everyObject(edit: (fields: Fields) => unknown): Open {
  return onJson((response) => (isSuccess(response) ? editObjects(response, edit) : response));
}

function presence(
  operationAndMember: string,
  names: readonly string[],
  how: 'absent' | 'null',
  edit: (fields: Fields, name: string) => void,
): Variant {
  const [operationId = '', member] = operationAndMember.split(' ');
  const change = (fields: Fields): void => {
    for (const name of names) edit(fields, name);
  };
  return variant({
    id: `${member ?? 'automation'}-members-${how}`,
    does: `${names.join(', ')} are ${how} in the response to ${operationId}.`,
    takes: 'versioning.wire.presence',
    api: onResponse(operationId, (response) => {
      if (!isSuccess(response)) return response;
      if (member === undefined) return editJson(response, change);
      return withJson(response, withList(jsonOf(response), member, change));
    }),
  });
}

/** The value with every object in lists of this name changed. */
function withList(value: unknown, member: string, change: (fields: Fields) => void): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withList(item, member, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== member || !Array.isArray(inner)) return [name, withList(inner, member, change)];
      const changed = inner.map((item: unknown) => {
        const copy: Fields = isRecord(item) ? { ...item } : {};
        change(copy);
        return copy;
      });
      return [name, changed];
    }),
  );
}
