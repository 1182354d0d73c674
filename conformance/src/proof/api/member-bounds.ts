import { isRecord } from '../../http/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { defect, editing, editingEach, isFields, recordsIn } from './exchange.ts';

const INBOX = 'listDatasetReviewRequests';
const UPDATE = 'updateDatasetReviewRequest';

/** Members of the right type with a value that the contract excludes, and required members of another type. */
export const memberBoundDefects: readonly Defect[] = [
  ...(['title', 'focusFields', 'ignoredFields', 'exampleNames', 'createdAt'] as const).map((name) =>
    entry(`inbox-${name}-null`, 'inbox.item.nullable-fields', `${name} is null`, name, null),
  ),
  ...(['instructions', 'createdBy', 'closedAt'] as const).map((name) =>
    entry(`inbox-${name}-number`, 'inbox.item.fields', `${name} is a number`, name, 7),
  ),
  entry(
    'inbox-status-unknown',
    'inbox.item.status-values',
    'status is archived',
    'status',
    'archived',
  ),
  entry(
    'inbox-focus-path-empty',
    'inbox.focus-field.path',
    'the path of a focus field is empty',
    'focusFields',
    [{ path: '', reason: null }],
  ),
  entry(
    'inbox-focus-reason-empty',
    'inbox.focus-field.reason',
    'the reason of a focus field is empty',
    'focusFields',
    [{ path: 'carrier', reason: '' }],
  ),
  entry(
    'inbox-ignored-numbers',
    'inbox.item.fields',
    'ignoredFields contains numbers',
    'ignoredFields',
    [1],
  ),
  entry(
    'inbox-example-numbers',
    'inbox.item.fields',
    'exampleNames contains numbers',
    'exampleNames',
    [1],
  ),
  ...['total', 'pending', 'approved', 'edited', 'removed', 'remaining'].map((counter) =>
    defect(
      `inbox-${counter}-negative`,
      'limits.progress-counters',
      `The counter ${counter} of the inbox is negative.`,
      editingEach(INBOX, 'data', (one) => count(one, counter, -1)),
    ),
  ),
  defect(
    'inbox-counter-fraction',
    'inbox.progress.fields',
    'A counter of the inbox is not an integer.',
    editingEach(INBOX, 'data', (one) => count(one, 'approved', 0.5)),
  ),
  defect(
    'inbox-counter-unsafe',
    'limits.progress-counters',
    'A counter of the inbox is above 9007199254740991.',
    editingEach(INBOX, 'data', (one) => count(one, 'edited', 2 ** 53)),
  ),
  ...['total', 'approved', 'rejected'].map((counter) =>
    defect(
      `detail-${counter}-negative`,
      'limits.progress-counters',
      `The counter ${counter} in the response to an update is negative.`,
      editing(UPDATE, (one) => count(one, counter, -1)),
    ),
  ),
  defect(
    'detail-status-unknown',
    'states.review.values',
    'The status in the response to an update is archived.',
    editing(UPDATE, (one) => (one['status'] = 'archived')),
  ),
  defect(
    'template-format-in-capitals',
    'template.item.format-values',
    'The format of a template is DOCX or XLSX.',
    editingEach(
      'listTemplates',
      'items',
      (one) => (one['format'] = String(one['format']).toUpperCase()),
    ),
  ),
  defect(
    'template-token-path-text',
    'template.item.token',
    'The path of a token is one string.',
    editingEach('listTemplates', 'items', (one) => {
      for (const token of recordsIn(one['tokens'])) token['path'] = String(token['name']);
    }),
  ),
  defect(
    'agent-created-at-number',
    'versioning.wire.timestamps-are-strings',
    'createdAt of an agent is a number.',
    editingEach(
      'listAgents',
      'data',
      (one) => (one['createdAt'] = Date.parse(String(one['createdAt']))),
    ),
  ),
  defect(
    'agent-count-fraction',
    'agent.item.stats',
    'exampleCount of an agent is not an integer.',
    editingEach('listAgents', 'data', (one) => {
      if (isRecord(one['stats'])) one['stats'] = { ...one['stats'], exampleCount: 1.5 };
    }),
  ),
  defect(
    'automation-type-tool',
    'automation-move.automation.type-values',
    'The type of a moved workflow is tool.',
    editing('moveAutomation', (one) => (one['type'] = 'tool')),
  ),
  defect(
    'file-size-fraction',
    'file.fields',
    'The size of a file is not an integer.',
    editing('getFile', (one) => (one['size'] = 0.5)),
  ),
  defect(
    'file-size-unsafe',
    'file.size.range',
    'The size of a file is above 9007199254740991.',
    editing('getFile', (one) => (one['size'] = 2 ** 53)),
  ),
  ...['input', 'output', 'cacheRead', 'cacheWrite'].flatMap((name) => [
    tokens(`usage-${name}-missing`, `The usage omits tokens.${name}.`, (one) => delete one[name]),
    tokens(
      `usage-${name}-fraction`,
      `tokens.${name} is not an integer.`,
      (one) => (one[name] = 0.5),
    ),
  ]),
  ...['creditsCharged', 'durationMs', 'llmCallCount', 'ocrPagesProcessed', 'agentTurns'].map(
    (name) =>
      defect(
        `usage-${name}-text`,
        'run-usage.numbers',
        `${name} of the usage is a string.`,
        editing('getRunUsage', ({ usage }) => {
          if (isFields(usage)) usage[name] = '1.75';
        }),
      ),
  ),
];

function entry(id: string, breaks: string, what: string, name: string, value: unknown): Defect {
  return defect(
    id,
    breaks,
    `In the inbox, ${what}.`,
    editingEach(INBOX, 'data', (one) => (one[name] = value)),
  );
}

function tokens(id: string, does: string, edit: (tokens: Fields) => unknown): Defect {
  return defect(
    id,
    'run-usage.tokens',
    does,
    editing('getRunUsage', ({ usage }) => {
      if (isFields(usage) && isFields(usage['tokens'])) edit(usage['tokens']);
    }),
  );
}

function count(one: Fields, counter: string, value: number): void {
  if (isRecord(one['progress'])) one['progress'] = { ...one['progress'], [counter]: value };
}
