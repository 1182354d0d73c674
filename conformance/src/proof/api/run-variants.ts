import { refuse, respond, withJson } from '../kit/message.ts';
import type { Variant } from '../kit/defect.ts';
import {
  always,
  during,
  editing,
  fieldsOf,
  isFields,
  isSuccess,
  recordsIn,
  segment,
  textOf,
  variant,
} from './exchange.ts';

const CLEAR = 'clearRunReviews';
const LIST = 'listExpectedReviewFiles';
const COPIES = ['copyOutputToExpected', 'copyOutputToExpectedApp'];
const USAGE = 'getRunUsage';

/** Forms of the list of corrected files, from the one of the reference server. */
const LISTS: Readonly<Record<string, (names: readonly string[]) => unknown>> = {
  names: (names) => names,
  object: (names) => ({ files: Object.fromEntries(names.map((name) => [name, { size: 1 }])) }),
  paths: (names) => ({ items: names.map((name) => ({ path: `expected/${name}` })) }),
  constant: (names) => ({ schema: 'expected-files.v1', data: names.map((name) => ({ name })) }),
};

/** Values that an empty review may have. */
const EMPTY: Readonly<Record<string, unknown>> = {
  null: null,
  'without-fields': {},
  'empty-strings': { verdict: '', note: '', reviewedBy: '', corrections: [] },
  nulls: { id: null, verdict: null, note: null, corrections: null, correctedOutput: null },
};

/** Reviews, copies and usage of runs. */
export const runVariants: readonly Variant[] = [
  ...Object.entries(EMPTY).map(([word, review]) =>
    variant(
      `empty-review-${word}`,
      'run-review.empty-state',
      `An empty review has another form (${word.replaceAll('-', ' ')}).`,
      editing(CLEAR, (fields) => (fields['review'] = review)),
      review === null ? ['api.run-review.schema'] : [],
    ),
  ),
  ...Object.entries(LISTS).map(([word, form]) =>
    variant(
      `corrected-files-${word}`,
      'run-review.expected-list',
      `The list of corrected files has another form (${word}).`,
      during(LIST, async ({ request, next }) => {
        const response = await next(request);
        const names = recordsIn(fieldsOf(response)['data']).map(({ name }) => textOf(name));
        return isSuccess(response) ? respond(200, form(names)) : response;
      }),
    ),
  ),
  variant(
    'corrected-files-404-without-any',
    'run-review.expected-list',
    'A list of corrected files without any gets 404.',
    during(LIST, async ({ request, next }) => {
      const response = await next(request);
      const isEmpty = recordsIn(fieldsOf(response)['data']).length === 0;
      return isSuccess(response) && isEmpty ? refuse(404, 'not_found') : response;
    }),
  ),
  variant(
    'copies-not-listed',
    'feedback-copy.where-shown',
    'No operation lists the copies of outputs.',
    always(async ({ operationId, request, next, memory }) => {
      const response = await next(request);
      const run = segment(request.url, 'runs');
      if (operationId !== null && COPIES.includes(operationId)) memory.set(run, true);
      return operationId === LIST && memory.get(run) === true && isSuccess(response)
        ? withJson(response, { data: [] })
        : response;
    }),
    ['api.feedback-copy.copies'],
  ),
  variant(
    'copy-named-by-path',
    'feedback-copy.response',
    'The name of a copy is a path.',
    editing(COPIES, (fields) => (fields['name'] = `expected/runs/${textOf(fields['name'])}`)),
  ),
  ...[400, 422].map((status) =>
    variant(
      `copy-refused-${status}`,
      'feedback-copy.refusal',
      `A refused copy gets ${status}.`,
      during(COPIES, async ({ request, next, memory }) => {
        const response = await next(request);
        const run = segment(request.url, 'runs');
        if (isSuccess(response)) memory.set(run, true);
        // An unknown run still gets 404.
        const isOwn = response.status === 400 || response.status === 404;
        return isOwn && memory.get(run) === true ? refuse(status) : response;
      }),
    ),
  ),
  ...Object.entries({ decimals: 0.25, zero: null }).map(([word, more]) =>
    variant(
      `usage-${word}`,
      'run-usage.meaning',
      more === null ? 'The usage of a run is zero.' : 'Numbers of the usage are no integers.',
      editing(USAGE, ({ usage }) => {
        if (!isFields(usage)) return;
        for (const [name, value] of Object.entries(usage)) {
          if (typeof value === 'number') usage[name] = more === null ? 0 : value + more;
        }
      }),
    ),
  ),
];
