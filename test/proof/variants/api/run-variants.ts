import {
  editResponse,
  fieldsOf,
  isFields,
  isSuccess,
  onRequest,
  onResponse,
  recordsIn,
  segment,
  textOf,
} from '@hookproof/conformance/proof/kit/api';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import { jsonOf, refuse, respond, withJson } from '@hookproof/conformance/proof/kit/message';

const CLEAR = 'clearRunReviews';
const LIST = 'listExpectedReviewFiles';
const COPIES = ['copyOutputToExpected', 'copyOutputToExpectedApp'];
const USAGE = 'getRunUsage';

/** Forms of the list of corrected files, from the names that the reference server lists. */
const LISTS: readonly (readonly [
  word: string,
  what: string,
  form: (names: readonly string[]) => unknown,
])[] = [
  ['names', 'an array of names', (names) => names],
  [
    'object',
    'an object by name',
    (names) => ({ files: Object.fromEntries(names.map((name) => [name, { size: 1 }])) }),
  ],
  [
    'paths',
    'a list of paths',
    (names) => ({ items: names.map((name) => ({ path: `expected/${name}` })) }),
  ],
  [
    'constant',
    'a list with a schema',
    (names) => ({ schema: 'expected-files.v1', data: names.map((name) => ({ name })) }),
  ],
];

/** Values that an empty review may have. */
const EMPTY: readonly (readonly [word: string, what: string, review: unknown])[] = [
  ['null', 'null', null],
  ['without-fields', 'an empty object', {}],
  [
    'empty-strings',
    'an object of empty strings',
    { verdict: '', note: '', reviewedBy: '', corrections: [] },
  ],
  [
    'nulls',
    'an object of nulls',
    { id: null, verdict: null, note: null, corrections: null, correctedOutput: null },
  ],
];

/** Reviews, copies and usage of runs. */
export const runVariants: readonly Variant[] = [
  variant({
    id: 'only-omitted-outputs-read',
    takes: 'run.read',
    does: 'Only a run can be read whose output an event has omitted.',
    silences: ['operation', 'key-required', 'foreign-id', 'unknown-id'].map(
      (area) => `api.${area}.run`,
    ),
    api: onRequest('getRunApp', (request, { knowledge }) => {
      const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
      return knowledge.isKnownId(id) ? refuse(404, 'not_found') : request;
    }),
  }),
  ...EMPTY.map(([word, what, review]) =>
    variant({
      id: `empty-review-${word}`,
      takes: 'run-review.empty-state',
      does: `An empty review is ${what}.`,
      api: editResponse(CLEAR, (fields) => (fields['review'] = review)),
    }),
  ),
  ...LISTS.map(([word, what, form]) =>
    variant({
      id: `corrected-files-${word}`,
      takes: 'run-review.expected-list',
      does: `The list of corrected files is ${what}.`,
      api: onResponse(LIST, (response) => {
        const names = recordsIn(fieldsOf(response)['data']).map(({ name }) => textOf(name));
        return isSuccess(response) ? respond(200, form(names)) : response;
      }),
    }),
  ),
  variant({
    id: 'corrected-files-404-without-any',
    takes: 'run-review.expected-list',
    does: 'A list of corrected files without any gets 404.',
    api: onResponse(LIST, (response) => {
      const isEmpty = recordsIn(fieldsOf(response)['data']).length === 0;
      return isSuccess(response) && isEmpty ? refuse(404, 'not_found') : response;
    }),
  }),
  variant({
    id: 'copies-not-listed',
    takes: 'feedback-copy.where-shown',
    does: 'No operation lists the copies of outputs.',
    api: onResponse('every', (response, { request, operationId, memory }) => {
      const run = segment(request.url, 'runs');
      if (operationId !== null && COPIES.includes(operationId)) memory.set(run, true);
      return operationId === LIST && memory.get(run) === true && isSuccess(response)
        ? withJson(response, { data: [] })
        : response;
    }),
    silences: ['api.feedback-copy.copies'],
  }),
  variant({
    id: 'copy-named-by-path',
    takes: 'feedback-copy.response',
    does: 'The name of a copy is a path.',
    api: editResponse(
      COPIES,
      (fields) => (fields['name'] = `expected/runs/${textOf(fields['name'])}`),
    ),
  }),
  ...[400, 422].map((status) =>
    variant({
      id: `copy-refused-${status}`,
      takes: 'feedback-copy.refusal',
      does: `A refused copy gets ${status}.`,
      api: onResponse(COPIES, (response, { request, memory }) => {
        const run = segment(request.url, 'runs');
        if (isSuccess(response)) memory.set(run, true);
        // An unknown run still gets 404, and a body that is not JSON gets 400.
        const isOwn = response.status === 404 && memory.get(run) === true;
        const isOfBody =
          response.status === 400 &&
          (jsonOf(request) !== undefined || request.body?.byteLength === 0);
        return isOwn || isOfBody ? refuse(status) : response;
      }),
    }),
  ),
  ...Object.entries({ decimals: 0.25, zero: null }).map(([word, more]) =>
    variant({
      id: `usage-${word}`,
      takes: 'run-usage.meaning',
      does:
        more === null ? 'The usage of a run is zero.' : 'Numbers of the usage are not integers.',
      api: editResponse(USAGE, ({ usage }) => {
        if (!isFields(usage)) return;
        for (const [name, value] of Object.entries(usage)) {
          if (typeof value === 'number') usage[name] = more === null ? 0 : value + more;
        }
      }),
    }),
  ),
];
