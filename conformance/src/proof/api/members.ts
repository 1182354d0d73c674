import { editEntries, editResponse, isFields, recordsIn } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import type { Fields } from '../kit/message.ts';
import { editProgress } from './inbox.ts';

const INBOX = 'listDatasetReviewRequests';
const TEMPLATES = 'listTemplates';
const AGENTS = 'listAgents';
const UPDATE = 'updateDatasetReviewRequest';
const MOVE = 'moveAutomation';
const USAGE = 'getRunUsage';

const ITEM = 'inbox.item.fields';
const NULLABLE = 'inbox.item.nullable-fields';
const COUNTERS = 'limits.progress-counters';

/** Members of listed review requests that are missing, have another type or an excluded value. */
const inboxMembers: readonly Defect[] = [
  defect({
    id: 'inbox-id-missing',
    breaks: ITEM,
    does: 'A listed review request has no id.',
    api: editEntries(INBOX, 'data', (entry) => delete entry['id']),
  }),
  defect({
    id: 'inbox-instructions-number',
    breaks: ITEM,
    does: 'instructions of a listed review request is a number.',
    api: editEntries(INBOX, 'data', (entry) => (entry['instructions'] = 7)),
  }),
  defect({
    id: 'inbox-title-null',
    breaks: NULLABLE,
    does: 'title of a listed review request is null.',
    api: editEntries(INBOX, 'data', (entry) => (entry['title'] = null)),
  }),
  defect({
    id: 'inbox-status-unknown',
    breaks: 'inbox.item.status-values',
    does: 'A listed review request has the status archived.',
    api: editEntries(INBOX, 'data', (entry) => (entry['status'] = 'archived')),
  }),
  defect({
    id: 'focus-field-path-missing',
    breaks: 'inbox.focus-field.path',
    does: 'A focus field has no path.',
    api: editEntries(INBOX, 'data', (entry) => (entry['focusFields'] = [{ reason: null }])),
  }),
  defect({
    id: 'focus-field-reason-empty',
    breaks: 'inbox.focus-field.reason',
    does: 'The reason of a focus field is empty.',
    api: editEntries(
      INBOX,
      'data',
      (entry) => (entry['focusFields'] = [{ path: 'carrier', reason: '' }]),
    ),
  }),
  defect({
    id: 'inbox-counter-missing',
    breaks: 'inbox.progress.fields',
    does: 'The progress of a listed review request has no counter removed.',
    api: editProgress((progress) => delete progress['removed']),
  }),
  defect({
    id: 'inbox-counter-fraction',
    breaks: 'inbox.progress.fields',
    does: 'A counter of a listed review request is not an integer.',
    api: editProgress((progress) => (progress['approved'] = 0.5)),
  }),
  defect({
    id: 'inbox-counter-negative',
    breaks: COUNTERS,
    does: 'A counter of a listed review request is negative.',
    api: editProgress((progress) => (progress['pending'] = -1)),
  }),
];

const templateMembers: readonly Defect[] = [
  defect({
    id: 'template-tokens-missing',
    breaks: 'template.item.required-fields',
    does: 'A template has no tokens.',
    api: editEntries(TEMPLATES, 'items', (template) => delete template['tokens']),
  }),
  defect({
    id: 'template-size-string',
    breaks: 'template.item.optional-fields',
    does: 'size of a template is a string.',
    api: editEntries(TEMPLATES, 'items', (template) => (template['size'] = '1 KB')),
  }),
  defect({
    id: 'template-format-in-capitals',
    breaks: 'template.item.format-values',
    does: 'The format of a template is in upper case.',
    api: editEntries(
      TEMPLATES,
      'items',
      (template) => (template['format'] = String(template['format']).toUpperCase()),
    ),
  }),
  defect({
    id: 'template-grammar-string',
    breaks: 'template.item.grammar',
    does: 'capabilities of a template grammar is a string.',
    api: editEntries(TEMPLATES, 'items', ({ grammar }) => {
      if (isFields(grammar)) grammar['capabilities'] = 'text';
    }),
  }),
  defect({
    id: 'template-revision-number-string',
    breaks: 'template.item.current-revision',
    does: 'The number of a template revision is a string.',
    api: editEntries(TEMPLATES, 'items', ({ currentRevision }) => {
      if (isFields(currentRevision)) currentRevision['number'] = 'text';
    }),
  }),
  defect({
    id: 'template-token-name-missing',
    breaks: 'template.item.token',
    does: 'A token has no name.',
    api: editEntries(TEMPLATES, 'items', ({ tokens }) => {
      for (const token of recordsIn(tokens)) delete token['name'];
    }),
  }),
];

const agentMembers: readonly Defect[] = [
  defect({
    id: 'agent-created-at-missing',
    breaks: 'agent.item.required-fields',
    does: 'An agent has no createdAt.',
    api: editEntries(AGENTS, 'data', (agent) => delete agent['createdAt']),
  }),
  defect({
    id: 'agent-config-string',
    breaks: 'agent.item.optional-fields',
    does: 'config of an agent is a string.',
    api: editEntries(AGENTS, 'data', (agent) => (agent['config'] = 'text')),
  }),
  defect({
    id: 'agent-created-at-number',
    breaks: 'versioning.wire.timestamps-are-strings',
    does: 'createdAt of an agent is a number.',
    api: editEntries(
      AGENTS,
      'data',
      (agent) => (agent['createdAt'] = Date.parse(String(agent['createdAt']))),
    ),
  }),
  defect({
    id: 'agent-credits-string',
    breaks: 'agent.item.stats',
    does: 'avgCredits of an agent is a string.',
    api: editEntries(AGENTS, 'data', ({ stats }) => {
      if (isFields(stats)) stats['avgCredits'] = 'text';
    }),
  }),
];

const detailMembers: readonly Defect[] = [
  defect({
    id: 'detail-items-missing',
    breaks: 'review-update.detail.fields',
    does: 'The response to an update has no items.',
    api: editResponse(UPDATE, (detail) => delete detail['items']),
  }),
  defect({
    id: 'detail-status-unknown',
    breaks: 'states.review.values',
    does: 'The response to an update has the status archived.',
    api: editResponse(UPDATE, (detail) => (detail['status'] = 'archived')),
  }),
  defect({
    id: 'detail-counter-negative',
    breaks: COUNTERS,
    does: 'A counter in the response to an update is negative.',
    api: editResponse(UPDATE, ({ progress }) => {
      if (isFields(progress)) progress['approved'] = -1;
    }),
  }),
  defect({
    id: 'detail-counter-missing',
    breaks: 'review-update.progress.other-counters',
    does: 'The response to an update has no counter remaining.',
    api: editResponse(UPDATE, ({ progress }) => {
      if (isFields(progress)) delete progress['remaining'];
    }),
  }),
  defect({
    id: 'review-item-example-name-missing',
    breaks: 'review-update.item.fields',
    does: 'An item of a review request has no exampleName.',
    api: editReviewItems((item) => delete item['exampleName']),
  }),
  defect({
    id: 'review-manifest-files-string',
    breaks: 'review-update.item.manifest',
    does: 'expectedFiles of a snapshot manifest is a string.',
    api: editReviewItems(({ snapshotManifest }) => {
      if (isFields(snapshotManifest)) snapshotManifest['expectedFiles'] = 'text';
    }),
  }),
  defect({
    id: 'review-event-id-missing',
    breaks: 'review-update.event.fields',
    does: 'An event of a review request has no id.',
    api: editResponse(UPDATE, ({ events }) => {
      for (const event of recordsIn(events)) delete event['id'];
    }),
  }),
];

const otherMembers: readonly Defect[] = [
  defect({
    id: 'automation-name-missing',
    breaks: 'automation-move.automation.fields',
    does: 'A moved workflow has no name.',
    api: editResponse(MOVE, (moved) => delete moved['name']),
  }),
  defect({
    id: 'automation-triggers-string',
    breaks: 'automation-move.automation.triggers',
    does: 'A trigger of a moved workflow is a string.',
    api: editResponse(MOVE, ({ triggers }) => {
      if (isFields(triggers)) triggers['cron'] = 'text';
    }),
  }),
  defect({
    id: 'automation-type-tool',
    breaks: 'automation-move.automation.type-values',
    does: 'The type of a moved workflow is tool.',
    api: editResponse(MOVE, (moved) => (moved['type'] = 'tool')),
  }),
  defect({
    id: 'file-content-type-missing',
    breaks: 'file.fields',
    does: 'The metadata of a file have no contentType.',
    api: editResponse('getFile', (file) => delete file['contentType']),
  }),
  defect({
    id: 'file-size-unsafe',
    breaks: 'file.size.range',
    does: 'The size of a file is above 9007199254740991.',
    api: editResponse('getFile', (file) => (file['size'] = 2 ** 53)),
  }),
  defect({
    id: 'file-purpose-number',
    breaks: 'file.purpose.type',
    does: 'The purpose of a file is a number.',
    api: editResponse('getFile', (file) => (file['purpose'] = 7)),
  }),
  defect({
    id: 'completed-file-id-missing',
    breaks: 'upload-complete.response',
    does: 'The response to a completion has no id.',
    api: editResponse('completeFileUpload', (file) => delete file['id']),
  }),
  defect({
    id: 'usage-tokens-missing',
    breaks: 'run-usage.tokens',
    does: 'The usage of a run has no tokens.',
    api: editUsage((usage) => delete usage['tokens']),
  }),
  defect({
    id: 'usage-input-fraction',
    breaks: 'run-usage.tokens',
    does: 'tokens.input of the usage of a run is not an integer.',
    api: editUsage(({ tokens }) => {
      if (isFields(tokens)) tokens['input'] = 0.5;
    }),
  }),
  defect({
    id: 'usage-credits-string',
    breaks: 'run-usage.numbers',
    does: 'creditsCharged of the usage of a run is a string.',
    api: editUsage((usage) => (usage['creditsCharged'] = '1.75')),
  }),
  defect({
    id: 'experiment-id-missing',
    breaks: 'experiment.fields',
    does: 'An experiment has no id.',
    api: editResponse('getExperiment', (experiment) => delete experiment['id']),
  }),
  defect({
    id: 'renamed-file-path-missing',
    breaks: 'expected-rename.response',
    does: 'The response to a rename has no path.',
    api: editResponse('renameExpectedFile', (renamed) => delete renamed['path']),
  }),
  defect({
    id: 'copied-file-name-missing',
    breaks: 'feedback-copy.response',
    does: 'The response to a copy has no name.',
    api: editResponse(
      ['copyOutputToExpected', 'copyOutputToExpectedApp'],
      (copied) => delete copied['name'],
    ),
  }),
  defect({
    id: 'cleared-review-id-number',
    breaks: 'run-review.fields',
    does: 'The id of a cleared review is a number.',
    api: editResponse('clearRunReviews', ({ review }) => {
      if (isFields(review)) review['id'] = 7;
    }),
  }),
];

/** Members that are missing, have another type or a value that the contract excludes. */
export const memberDefects: readonly Defect[] = [
  ...inboxMembers,
  ...templateMembers,
  ...agentMembers,
  ...detailMembers,
  ...otherMembers,
];

function editReviewItems(edit: (item: Fields) => unknown): Open {
  return editResponse(UPDATE, ({ items }) => {
    for (const item of recordsIn(items)) edit(item);
  });
}

function editUsage(edit: (usage: Fields) => unknown): Open {
  return editResponse(USAGE, ({ usage }) => {
    if (isFields(usage)) edit(usage);
  });
}
