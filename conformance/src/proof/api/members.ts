import type { JsonSchema } from '@hookproof/spec/openapi';

import { contractSchema } from '../../check-kit/schema.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { defect, editing, isFields, recordsIn } from './exchange.ts';

/** A schema of the contract, where it occurs in the response of an operation, and what a wrong member of it breaks. */
interface Place {
  /** Begins the ids of its defects. */
  readonly name: string;
  readonly operation: string;
  readonly schema: string;
  /** The objects of the schema in a response. */
  readonly find: (response: Fields) => readonly Fields[];
  readonly breaks: string | ((member: string, fault: Fault) => string);
}

type Fault = 'missing' | 'mistyped';

const INBOX = 'listDatasetReviewRequests';
const UPDATE = 'updateDatasetReviewRequest';
const MOVE = 'moveAutomation';

const entries =
  (member: string, ...path: readonly string[]) =>
  (response: Fields): readonly Fields[] =>
    path.reduce<readonly Fields[]>(
      (found, name) => found.flatMap((one) => within(one, name)),
      recordsIn(response[member]),
    );

const itself = (response: Fields): readonly Fields[] => [response];

const PLACES: readonly Place[] = [
  {
    name: 'inbox',
    operation: INBOX,
    schema: 'DatasetReviewRequest',
    find: entries('data'),
    breaks: 'inbox.item.fields',
  },
  {
    name: 'inbox-progress',
    operation: INBOX,
    schema: 'ReviewProgress',
    find: entries('data', 'progress'),
    breaks: 'inbox.progress.fields',
  },
  {
    name: 'focus-field',
    operation: INBOX,
    schema: 'FocusField',
    find: entries('data', 'focusFields'),
    breaks: (member) => `inbox.focus-field.${member}`,
  },
  {
    name: 'template',
    operation: 'listTemplates',
    schema: 'Template',
    find: entries('items'),
    breaks: (member) =>
      contractSchema('Template').required?.includes(member) === true
        ? 'template.item.required-fields'
        : 'template.item.optional-fields',
  },
  {
    name: 'template-grammar',
    operation: 'listTemplates',
    schema: 'TemplateGrammar',
    find: entries('items', 'grammar'),
    breaks: 'template.item.grammar',
  },
  {
    name: 'template-revision',
    operation: 'listTemplates',
    schema: 'TemplateRevision',
    find: entries('items', 'currentRevision'),
    breaks: 'template.item.current-revision',
  },
  {
    name: 'template-token',
    operation: 'listTemplates',
    schema: 'TemplateToken',
    find: entries('items', 'tokens'),
    breaks: 'template.item.token',
  },
  {
    name: 'agent',
    operation: 'listAgents',
    schema: 'Agent',
    find: entries('data'),
    breaks: (member) =>
      contractSchema('Agent').required?.includes(member) === true
        ? 'agent.item.required-fields'
        : 'agent.item.optional-fields',
  },
  {
    name: 'agent-stats',
    operation: 'listAgents',
    schema: 'AgentStats',
    find: entries('data', 'stats'),
    breaks: 'agent.item.stats',
  },
  {
    name: 'detail',
    operation: UPDATE,
    schema: 'DatasetReviewRequestDetail',
    find: itself,
    breaks: 'review-update.detail.fields',
  },
  {
    name: 'detail-progress',
    operation: UPDATE,
    schema: 'ReviewProgressDetail',
    find: (response) => within(response, 'progress'),
    breaks: (member) =>
      member === 'rejected'
        ? 'review-update.progress.rejected-name'
        : 'review-update.progress.other-counters',
  },
  {
    name: 'review-item',
    operation: UPDATE,
    schema: 'ReviewItem',
    find: entries('items'),
    breaks: 'review-update.item.fields',
  },
  {
    name: 'review-manifest',
    operation: UPDATE,
    schema: 'SnapshotManifest',
    find: entries('items', 'snapshotManifest'),
    breaks: 'review-update.item.manifest',
  },
  {
    name: 'review-event',
    operation: UPDATE,
    schema: 'ReviewEvent',
    find: entries('events'),
    breaks: 'review-update.event.fields',
  },
  {
    name: 'automation',
    operation: MOVE,
    schema: 'Automation',
    find: itself,
    breaks: 'automation-move.automation.fields',
  },
  {
    name: 'automation-triggers',
    operation: MOVE,
    schema: 'AutomationTriggers',
    find: (response) => within(response, 'triggers'),
    breaks: 'automation-move.automation.triggers',
  },
  {
    name: 'file',
    operation: 'getFile',
    schema: 'File',
    find: itself,
    breaks: (member) => (member === 'purpose' ? 'file.purpose.type' : 'file.fields'),
  },
  {
    name: 'completed-file',
    operation: 'completeFileUpload',
    schema: 'File',
    find: itself,
    breaks: 'upload-complete.response',
  },
  {
    name: 'usage',
    operation: 'getRunUsage',
    schema: 'RunUsage',
    find: (response) => within(response, 'usage'),
    breaks: (member) => (member === 'tokens' ? 'run-usage.tokens' : 'run-usage.numbers'),
  },
  {
    name: 'experiment',
    operation: 'getExperiment',
    schema: 'ExperimentReference',
    find: itself,
    breaks: 'experiment.fields',
  },
  {
    name: 'renamed-file',
    operation: 'renameExpectedFile',
    schema: 'ExpectedFileRenamed',
    find: itself,
    breaks: 'expected-rename.response',
  },
  {
    name: 'copied-file',
    operation: 'copyOutputToExpected',
    schema: 'FeedbackExpectedCopied',
    find: itself,
    breaks: 'feedback-copy.response',
  },
  {
    name: 'cleared-review',
    operation: 'clearRunReviews',
    schema: 'RunReview',
    find: (response) => within(response, 'review'),
    breaks: 'run-review.fields',
  },
];

/** Each member of each schema: a required one is missing, any other has another type. */
export const memberDefects: readonly Defect[] = PLACES.flatMap((place) =>
  Object.entries(contractSchema(place.schema).properties ?? {}).flatMap(([member, schema]) => {
    const wrong = schema === false ? undefined : mistyped(schema);
    const required = contractSchema(place.schema).required?.includes(member) === true;
    if (required) return [memberDefect(place, member, 'missing', (one) => delete one[member])];
    if (wrong === undefined) return [];
    return [memberDefect(place, member, 'mistyped', (one) => (one[member] = wrong))];
  }),
);

function memberDefect(
  { name, operation, find, breaks }: Place,
  member: string,
  fault: Fault,
  edit: (one: Fields) => unknown,
): Defect {
  return defect(
    `${name}-${member}-${fault}`,
    typeof breaks === 'string' ? breaks : breaks(member, fault),
    fault === 'missing'
      ? `The response to ${operation} omits ${member}.`
      : `The response to ${operation} has ${member} with another type.`,
    editing(operation, (response) => {
      for (const one of find(response)) edit(one);
    }),
  );
}

/** A value of a type that a schema refuses; undefined when it accepts every type. */
function mistyped(schema: JsonSchema): unknown {
  const resolved =
    schema.$ref === undefined ? schema : contractSchema(schema.$ref.split('/').at(-1) ?? '');
  const types = [resolved.type ?? []].flat();
  if (types.length === 0) return undefined;
  return types.includes('string') ? 7 : 'text';
}

/** The objects in a member: itself, or the entries of an array. */
function within(one: Fields, name: string): readonly Fields[] {
  const value = one[name];
  return isFields(value) ? [value] : recordsIn(value);
}
