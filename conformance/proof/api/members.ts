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

/** Members that are missing, have another type or a value that the contract excludes: one or two of each kind of mistake. */
export const memberDefects: readonly Defect[] = [
  defect({
    id: 'inbox-id-missing',
    breaks: 'inbox.item.fields',
    does: 'A listed review request has no id.',
    api: editEntries(INBOX, 'data', (entry) => delete entry['id']),
  }),
  defect({
    id: 'inbox-title-null',
    breaks: 'inbox.item.fields',
    does: 'title of a listed review request is null.',
    api: editEntries(INBOX, 'data', (entry) => (entry['title'] = null)),
  }),
  defect({
    id: 'inbox-status-unknown',
    breaks: 'inbox.item.fields',
    does: 'A listed review request has the status archived.',
    api: editEntries(INBOX, 'data', (entry) => (entry['status'] = 'archived')),
  }),
  defect({
    id: 'focus-field-reason-empty',
    breaks: 'inbox.item.fields',
    does: 'The reason of a focus field is empty.',
    api: editEntries(
      INBOX,
      'data',
      (entry) => (entry['focusFields'] = [{ path: 'carrier', reason: '' }]),
    ),
  }),
  defect({
    id: 'inbox-counter-negative',
    breaks: 'inbox.item.fields',
    does: 'A counter of a listed review request is negative.',
    api: editProgress((progress) => (progress['pending'] = -1)),
  }),
  defect({
    id: 'template-size-string',
    breaks: 'template.item.fields',
    does: 'size of a template is a string.',
    api: editEntries(TEMPLATES, 'items', (template) => (template['size'] = '1 KB')),
  }),
  defect({
    id: 'template-token-name-missing',
    breaks: 'template.item.fields',
    does: 'A token has no name.',
    api: editEntries(TEMPLATES, 'items', ({ tokens }) => {
      for (const token of recordsIn(tokens)) delete token['name'];
    }),
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
    id: 'detail-items-missing',
    breaks: 'review-update.detail.fields',
    does: 'The response to an update has no items.',
    api: editResponse(UPDATE, (detail) => delete detail['items']),
  }),
  defect({
    id: 'review-item-example-name-missing',
    breaks: 'review-update.detail.fields',
    does: 'An item of a review request has no exampleName.',
    api: editReviewItems((item) => delete item['exampleName']),
  }),
  defect({
    id: 'review-event-id-missing',
    breaks: 'review-update.detail.fields',
    does: 'An event of a review request has no id.',
    api: editResponse(UPDATE, ({ events }) => {
      for (const event of recordsIn(events)) delete event['id'];
    }),
  }),
  defect({
    id: 'automation-name-missing',
    breaks: 'automation-move.automation.fields',
    does: 'A moved workflow has no name.',
    api: editResponse(MOVE, (moved) => delete moved['name']),
  }),
  defect({
    id: 'file-size-unsafe',
    breaks: 'file.fields',
    does: 'The size of a file is above 9007199254740991.',
    api: editResponse('getFile', (file) => (file['size'] = 2 ** 53)),
  }),
  defect({
    id: 'file-purpose-number',
    breaks: 'file.fields',
    does: 'The purpose of a file is a number.',
    api: editResponse('getFile', (file) => (file['purpose'] = 7)),
  }),
  defect({
    id: 'file-created-at-missing',
    breaks: 'file.fields.present',
    does: 'A file has no createdAt.',
    api: editResponse('getFile', (file) => delete file['createdAt']),
  }),
  defect({
    id: 'template-grammar-null',
    breaks: 'template.item.fields-present',
    does: 'grammar of a template is null.',
    api: editEntries(TEMPLATES, 'items', (template) => (template['grammar'] = null)),
  }),
  defect({
    id: 'completed-file-id-missing',
    breaks: 'upload-complete.response',
    does: 'The response to a completion has no id.',
    api: editResponse('completeFileUpload', (file) => delete file['id']),
  }),
  defect({
    id: 'usage-input-fraction',
    breaks: 'run-usage.fields',
    does: 'tokens.input of the usage of a run is not an integer.',
    api: editUsage(({ tokens }) => {
      if (isFields(tokens)) tokens['input'] = 0.5;
    }),
  }),
  defect({
    id: 'usage-credits-string',
    breaks: 'run-usage.fields',
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
