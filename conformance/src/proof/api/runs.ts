import { isRecord } from '../../http/message.ts';
import { refuse, respond, withJson } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import {
  always,
  asking,
  defect,
  during,
  editing,
  fieldsOf,
  isFields,
  isSuccess,
  segment,
} from './exchange.ts';

const CLEAR = 'clearRunReviews';
const LIST = 'listExpectedReviewFiles';
const COPY = 'copyOutputToExpected';
const COPY_APP = 'copyOutputToExpectedApp';
const USAGE = 'getRunUsage';
const EXPERIMENT = 'getExperiment';
const RESULT = ['getRun', 'getRunApp'];

/** The review of a run, its corrected files, and copies of its outputs. */
export const runReviewDefects: readonly Defect[] = [
  defect(
    'run-review-unwrapped',
    'run-review.wrapped',
    'The response to clearing is the review itself.',
    during(CLEAR, async ({ request, next }) => {
      const response = await next(request);
      return isSuccess(response) ? withJson(response, fieldsOf(response)['review']) : response;
    }),
  ),
  ...['note', 'reviewedBy', 'reviewedByEmail', 'closedNote'].map((name) =>
    defect(
      `cleared-${name}-kept`,
      'run-review.clear.metadata',
      `Clearing keeps ${name}.`,
      editing(CLEAR, ({ review }) => {
        if (isFields(review)) review[name] = 'ines@example.com';
      }),
    ),
  ),
  defect(
    'cleared-corrections-kept',
    'run-review.clear.corrections',
    'Clearing keeps the corrections.',
    editing(CLEAR, ({ review }) => {
      if (isFields(review)) review['corrections'] = [{ id: 'correction_1', kind: 'field' }];
    }),
  ),
  defect(
    'cleared-files-kept',
    'run-review.clear.files',
    'Clearing keeps the corrected files.',
    always(async ({ operationId, request, next, memory }) => {
      const response = await next(request);
      const run = segment(request.url, 'runs');
      if (operationId === CLEAR && isSuccess(response)) memory.set(`${run} cleared`, true);
      if (operationId !== LIST || !isSuccess(response)) return response;
      if (memory.get(`${run} cleared`) !== true) memory.set(run, fieldsOf(response));
      return withJson(response, memory.get(run) ?? fieldsOf(response));
    }),
  ),
  defect(
    'clearing-wants-a-body',
    'run-review.clear.no-request-body',
    'Clearing without a body gets 400.',
    during(CLEAR, ({ request, next }) => (request.body === null ? refuse(400) : next(request))),
  ),
  defect(
    'corrected-files-not-listed',
    'run-review.corrected-files.listed-apart',
    'The list of corrected files is always empty.',
    during(LIST, async ({ request, next }) => {
      const response = await next(request);
      return isSuccess(response) ? respond(200, { data: [] }) : response;
    }),
  ),
  defect(
    'corrected-files-unknown',
    'run-review.corrected-files.listed-apart',
    'The list of corrected files gets 404.',
    during(LIST, () => refuse(404)),
  ),
  defect(
    'copy-unknown-on-app-address',
    'feedback-copy.app-address',
    'The copy on the app address gets 404.',
    during(COPY_APP, () => refuse(404)),
  ),
  defect(
    'copy-refused',
    'feedback-copy.copies',
    'Every copy gets 404.',
    during(COPY, () => refuse(404)),
  ),
  defect(
    'copy-name-of-another',
    'feedback-copy.expected-name.optional',
    'expectedName is ignored.',
    asking(COPY, (request) => {
      const { expectedName, ...others } = fieldsOf(request);
      return typeof expectedName === 'string' ? withJson(request, others) : request;
    }),
  ),
  defect(
    'copy-renamed-by-default',
    'feedback-copy.expected-name.default',
    'Without expectedName, the copy has another name.',
    editing(COPY, (fields, { request }) => {
      if (fieldsOf(request)['expectedName'] === undefined)
        fields['name'] = `copy-${String(fields['name'])}.bin`;
    }),
  ),
  defect(
    'copy-name-as-list',
    'feedback-copy.response',
    'The response to a copy has a list of names.',
    editing(COPY, (fields) => (fields['name'] = [fields['name']])),
  ),
  ...Object.entries({
    missing: {
      breaks: 'feedback-copy.output-file-name.required',
      isConcerned: (name: unknown) => typeof name !== 'string',
    },
    unknown: {
      breaks: 'feedback-copy.output-file-name.exists',
      isConcerned: (name: unknown) => typeof name === 'string',
    },
  }).map(([word, { breaks, isConcerned }]) =>
    defect(
      `refused-copy-of-${word}-made`,
      breaks,
      `A refused copy of ${word} output makes a file.`,
      always(async ({ operationId, request, next, memory }) => {
        const response = await next(request);
        const run = segment(request.url, 'runs');
        const refused = operationId === COPY && response.status >= 400 && response.status < 500;
        if (refused && isConcerned(fieldsOf(request)['outputFileName'])) memory.set(run, true);
        return operationId === LIST && isSuccess(response) && memory.get(run) === true
          ? withJson(response, {
              ...fieldsOf(response),
              more: [{ name: 'from-a-refused-copy.csv' }],
            })
          : response;
      }),
    ),
  ),
];

/** Usage and result of a run, and the automation of an experiment. */
export const runDefects: readonly Defect[] = [
  defect(
    'usage-refused',
    'run-usage.response',
    'A request for the usage of an ended run gets 409.',
    during(USAGE, async ({ request, next }) => {
      const response = await next(request);
      return isSuccess(response) ? refuse(409) : response;
    }),
  ),
  defect(
    'usage-unwrapped',
    'run-usage.wrapped',
    'The response is the usage itself.',
    during(USAGE, async ({ request, next }) => {
      const response = await next(request);
      return isSuccess(response) ? withJson(response, fieldsOf(response)['usage']) : response;
    }),
  ),
  defect(
    'usage-of-unknown-run',
    'status-code.404',
    'An unknown run has an empty usage.',
    during(USAGE, async ({ request, next }) => {
      const response = await next(request);
      return response.status === 404 ? respond(200, { usage: {} }) : response;
    }),
  ),
  ...(['id', 'automationId'] as const).map((name) =>
    defect(
      `experiment-${name}-of-another`,
      'experiment.owner',
      `An experiment has another ${name}.`,
      editing(EXPERIMENT, (fields) => (fields[name] = `${String(fields[name])}0`)),
    ),
  ),
  defect(
    'run-without-output',
    'run.full-result',
    'A run is read without its output.',
    editing(RESULT, (fields) => delete fields['output']),
  ),
  defect(
    'run-output-cut-short',
    'run.full-result',
    'Strings in the output of a run are cut after 256 KiB.',
    editing(RESULT, (fields) => {
      const { output } = fields;
      if (!isRecord(output)) return;
      fields['output'] = Object.fromEntries(
        Object.entries(output).map(([name, part]) => [
          name,
          typeof part === 'string' ? part.slice(0, 262_144) : part,
        ]),
      );
    }),
  ),
];
