import type { Mutant } from './mutant.ts';

const CLEAR = 'server-reference/dist/platform/routes/run-reviews.js';

/** The review of a run, and the list of its corrected files. */
export const runReviewMutants: readonly Mutant[] = [
  {
    id: 'run-review-unwrapped',
    defect: 'The response to clearing is the review without its wrapper.',
    file: CLEAR,
    find: 'return { review: emptyReview() };',
    replace: 'return emptyReview();',
    fails: ['api.run-review.wrapped'],
  },
  {
    id: 'run-review-verdict-as-number',
    defect: 'The verdict of the empty review is 0.',
    file: CLEAR,
    find: 'verdict: null,',
    replace: 'verdict: 0,',
    fails: ['api.run-review.schema'],
  },
  {
    id: 'run-review-note-kept',
    defect: 'Clearing keeps the note of the review.',
    file: CLEAR,
    find: 'return { review: emptyReview() };',
    replace: "return { review: { ...emptyReview(), note: 'Two rows are missing.' } };",
    fails: ['api.run-review.clear-metadata'],
  },
  {
    id: 'run-review-corrections-kept',
    defect: 'Clearing keeps the corrections.',
    file: CLEAR,
    find: 'delete state.runReviews[id];\n            return { review: emptyReview() };',
    replace:
      'const { review } = state.runReviews[id];\n            delete state.runReviews[id];\n            return { review: { ...emptyReview(), corrections: review.corrections } };',
    fails: ['api.run-review.clear-corrections'],
  },
  {
    id: 'run-review-files-kept',
    defect: 'Clearing keeps the corrected files.',
    file: CLEAR,
    find: 'delete state.runReviews[id];',
    replace: 'state.runReviews[id].review = null;',
    fails: ['api.run-review.clear-files'],
  },
  {
    id: 'run-review-clear-needs-body',
    defect: 'Clearing without a body is refused.',
    file: CLEAR,
    find: 'const { id } = findRun(state, request);',
    replace:
      "if (request.incoming.headers['content-type'] === undefined) throw new Error('no body');\n            const { id } = findRun(state, request);",
    fails: [
      'api.run-review.wrapped',
      'api.run-review.schema',
      'api.run-review.clear-without-body',
      'api.run-review.clear-metadata',
      'api.run-review.clear-corrections',
      'api.run-review.clear-files',
    ],
  },
  {
    id: 'foreign-run-found',
    defect: 'A run is found by its id whatever the tenant of the key.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: 'run === undefined || run.tenantId !== key.tenantId',
    replace: 'run === undefined',
    fails: ['api.tenant.foreign-clear-without-effect', 'api.tenant.foreign-usage-withheld'],
  },
  {
    id: 'corrected-files-not-listed',
    defect: 'The list of corrected files is always empty.',
    file: 'server-reference/dist/platform/routes/run-reviews.js',
    find: 'data: files.map(',
    replace: 'data: files.slice(0, 0).map(',
    // Without names in the list, the check cannot search for them after clearing.
    fails: ['api.run-review.corrected-files'],
  },
];
