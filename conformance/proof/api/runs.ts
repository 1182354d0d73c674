import { isRecord } from '@hookproof/conformance/hooks';

import {
  onRequest,
  onResponse,
  editResponse,
  isSuccess,
  isFields,
  fieldsOf,
  segment,
} from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, respond, withJson } from '../kit/message.ts';

const CLEAR = 'clearRunReviews';
const LIST = 'listExpectedReviewFiles';
const COPY = 'copyOutputToExpected';
const COPY_APP = 'copyOutputToExpectedApp';
const USAGE = 'getRunUsage';
const EXPERIMENT = 'getExperiment';
const RESULT = ['getRun', 'getRunApp'];

/** The review of a run, its corrected files, and copies of its outputs. */
export const runReviewDefects: readonly Defect[] = [
  defect({
    id: 'run-review-unwrapped',
    breaks: 'run-review.fields',
    does: 'The response to clearing is the review itself.',
    api: onResponse(CLEAR, (response) =>
      isSuccess(response) ? withJson(response, fieldsOf(response)['review']) : response,
    ),
  }),
  defect({
    id: 'cleared-note-kept',
    breaks: 'run-review.clear.review',
    does: 'Clearing keeps the note.',
    api: editResponse(CLEAR, ({ review }) => {
      if (isFields(review)) review['note'] = 'The carrier is wrong.';
    }),
  }),
  defect({
    id: 'cleared-corrections-kept',
    breaks: 'run-review.clear.review',
    does: 'Clearing keeps the corrections.',
    api: editResponse(CLEAR, ({ review }) => {
      if (isFields(review)) review['corrections'] = [{ id: 'correction_1', kind: 'field' }];
    }),
  }),
  defect({
    id: 'cleared-files-kept',
    breaks: 'run-review.clear.files',
    does: 'Clearing keeps the corrected files.',
    api: onResponse('every', (response, { request, operationId, memory }) => {
      const run = segment(request.url, 'runs');
      if (operationId === CLEAR && isSuccess(response)) memory.set(`${run} cleared`, true);
      if (operationId !== LIST || !isSuccess(response)) return response;
      if (memory.get(`${run} cleared`) !== true) memory.set(run, fieldsOf(response));
      return withJson(response, memory.get(run) ?? fieldsOf(response));
    }),
  }),
  defect({
    id: 'clearing-wants-a-body',
    breaks: 'run-review.clear.review',
    does: 'Clearing without a body gets 400.',
    api: onRequest(CLEAR, (request) => (request.body === null ? refuse(400) : request)),
  }),
  defect({
    id: 'corrected-files-not-listed',
    breaks: 'run-review.corrected-files.listed-apart',
    does: 'The list of corrected files is always empty.',
    api: onResponse(LIST, (response) =>
      isSuccess(response) ? respond(200, { data: [] }) : response,
    ),
  }),
  defect({
    id: 'corrected-files-unknown',
    breaks: 'run-review.corrected-files.listed-apart',
    does: 'The list of corrected files gets 404.',
    api: onRequest(LIST, () => refuse(404)),
  }),
  defect({
    id: 'copy-refused-on-app-address',
    breaks: 'feedback-copy.app-address',
    does: 'Every copy on the app address gets 400.',
    api: onRequest(COPY_APP, () => refuse(400)),
  }),
  defect({
    id: 'copy-at-the-app-address-alone',
    breaks: 'feedback-copy.app-address',
    does: 'A copy is served below /api/v1 only: /v1 has none.',
    api: onRequest(COPY, () => refuse(404, 'not_found')),
  }),
  defect({
    id: 'copy-refused',
    breaks: 'feedback-copy.copies',
    does: 'Every copy gets 400.',
    api: onRequest(COPY, () => refuse(400)),
  }),
  defect({
    id: 'copy-name-of-another',
    breaks: 'feedback-copy.expected-name.optional',
    does: 'expectedName is ignored.',
    api: onRequest(COPY, (request) => {
      const { expectedName, ...others } = fieldsOf(request);
      return typeof expectedName === 'string' ? withJson(request, others) : request;
    }),
  }),
  defect({
    id: 'copy-renamed-by-default',
    breaks: 'feedback-copy.expected-name.default',
    does: 'Without expectedName, the copy has another name.',
    api: editResponse(COPY, (fields, { request }) => {
      if (fieldsOf(request)['expectedName'] === undefined)
        fields['name'] = `copy-${String(fields['name'])}.bin`;
    }),
  }),
  defect({
    id: 'copy-name-as-list',
    breaks: 'feedback-copy.response',
    does: 'The response to a copy has a list of names.',
    api: editResponse(COPY, (fields) => (fields['name'] = [fields['name']])),
  }),
  defect({
    id: 'refused-copy-of-missing-made',
    breaks: 'feedback-copy.output-file-name.required',
    does: 'A refused copy without an output makes a file.',
    api: copiedBehindRefusal((name) => typeof name !== 'string'),
  }),
  defect({
    id: 'refused-copy-of-unknown-made',
    breaks: 'feedback-copy.output-file-name.exists',
    does: 'A refused copy of an unknown output makes a file.',
    api: copiedBehindRefusal((name) => typeof name === 'string'),
  }),
];

/** Usage and result of a run, and the automation of an experiment. */
export const runDefects: readonly Defect[] = [
  defect({
    id: 'usage-refused',
    breaks: 'run-usage.response',
    does: 'A request for the usage of an ended run gets 409.',
    api: onResponse(USAGE, (response) => (isSuccess(response) ? refuse(409) : response)),
  }),
  defect({
    id: 'usage-unwrapped',
    breaks: 'run-usage.fields',
    does: 'The response is the usage itself.',
    api: onResponse(USAGE, (response) =>
      isSuccess(response) ? withJson(response, fieldsOf(response)['usage']) : response,
    ),
  }),
  defect({
    id: 'experiment-of-another-id',
    breaks: 'experiment.owner',
    does: 'An experiment has another id than the one asked for.',
    api: editResponse(EXPERIMENT, (fields) => (fields['id'] = `${String(fields['id'])}0`)),
  }),
  defect({
    id: 'experiment-of-unknown-automation',
    breaks: 'experiment.owner',
    does: 'The automation of an experiment does not exist.',
    api: editResponse(
      EXPERIMENT,
      (fields) => (fields['automationId'] = `${String(fields['automationId'])}0`),
    ),
  }),
  defect({
    id: 'run-output-cut-short',
    breaks: 'run.full-result',
    does: 'Strings in the output of a run are cut after 256 KiB.',
    api: editResponse(RESULT, (fields) => {
      const { output } = fields;
      if (!isRecord(output)) return;
      fields['output'] = Object.fromEntries(
        Object.entries(output).map(([name, part]) => [
          name,
          typeof part === 'string' ? part.slice(0, 262_144) : part,
        ]),
      );
    }),
  }),
];

function copiedBehindRefusal(isConcerned: (name: unknown) => boolean): Open {
  return onResponse('every', (response, { request, operationId, memory }) => {
    const run = segment(request.url, 'runs');
    const refused = operationId === COPY && response.status >= 400 && response.status < 500;
    const made = Number(memory.get(run) ?? 0);
    if (refused && isConcerned(fieldsOf(request)['outputFileName'])) memory.set(run, made + 1);
    if (operationId !== LIST || !isSuccess(response) || made === 0) return response;
    const more = Array.from({ length: made }, (_, at) => ({
      name: `from-a-refused-copy-${at}.csv`,
    }));
    return withJson(response, { ...fieldsOf(response), more });
  });
}
