import type { Variant } from './mutant.ts';

const CONTROL_INTERFACE = 'server-reference/dist/lab/control/control-interface.js';
const ENTRIES = 'server-reference/dist/platform/datasets/archive.js';

/** Other choices for datasets, run reviews, copies and limits where the contract leaves them open. */
export const datasetVariants: readonly Variant[] = [
  {
    id: 'exports-sent',
    freedom: 'No export is redirected to storage.',
    file: 'server-reference/dist/platform/routes/datasets.js',
    find: 'settings.redirectAboveBytes !== null && bytes > settings.redirectAboveBytes',
    replace: 'bytes < 0',
  },
  {
    id: 'archive-with-folder-entries',
    freedom: 'The archive has entries for folders.',
    file: ENTRIES,
    find: 'folders: parts.filter(({ files }) => files.length === 0).map(',
    replace: 'folders: parts.map(',
  },
  {
    id: 'archive-in-another-order',
    freedom: 'The entries of the archive are in another order.',
    file: ENTRIES,
    find: 'files: parts.flatMap(',
    replace: 'files: parts.toReversed().flatMap(',
  },
  {
    id: 'archive-with-more-entries',
    freedom: 'The archive has additional entries.',
    file: ENTRIES,
    find: 'return {\n        folders:',
    replace:
      "parts.push({ folder: 'manifest', files: examples[0].expected });\n    return {\n        folders:",
  },
  {
    id: 'delete-responds-with-path',
    freedom: 'A delete gets 200 with a body.',
    file: 'server-reference/dist/platform/routes/datasets.js',
    find: 'return undefined;',
    replace: 'return { ok: true, path: place };',
  },
  {
    id: 'empty-review-null',
    freedom: 'The empty state of a run review is null.',
    file: 'server-reference/dist/platform/routes/run-reviews.js',
    find: 'return { review: emptyReview() };',
    replace: 'return { review: null };',
    notApplicable: ['api.run-review.schema'],
  },
  {
    id: 'empty-review-without-fields',
    freedom: 'The empty state of a run review has no fields.',
    file: 'server-reference/dist/platform/routes/run-reviews.js',
    find: 'return { review: emptyReview() };',
    replace: 'return { review: {} };',
  },
  {
    id: 'corrected-files-by-name',
    freedom: 'The list of corrected files is an object with a field for each.',
    file: 'server-reference/dist/platform/routes/run-reviews.js',
    find: 'data: files.map(({ path, contentType, size }) => ({ name: path, contentType, size })),',
    replace: 'files: Object.fromEntries(files.map(({ path, size }) => [path, size])),',
  },
  {
    id: 'copies-not-listed',
    freedom: 'No operation lists the copies of outputs.',
    file: 'server-reference/dist/platform/routes/run-reviews.js',
    find: 'state.runReviews[run.id] = { id: run.id, review, expectedFiles: expected };',
    replace: '',
    notApplicable: ['api.feedback-copy.copies'],
  },
  {
    id: 'copy-named-by-path',
    freedom: 'The name of a copy is the path of an artifact.',
    file: 'server-reference/dist/platform/routes/run-reviews.js',
    find: 'return { name };',
    replace: 'return { name: `expected/${name}` };',
  },
  {
    id: 'unavailable-until-date',
    freedom: 'A 503 gives a date in Retry-After.',
    file: 'server-reference/dist/platform/access/rate-limit.js',
    find: "'Retry-After': String(ACCOUNTING_RETRY_SECONDS)",
    replace: "'Retry-After': new Date(Date.now() + 1000).toUTCString()",
  },
  {
    id: 'control-without-limits',
    freedom: 'The control interface cannot change limits.',
    file: CONTROL_INTERFACE,
    find: '...limitRoutes(services),',
    replace: '',
    notApplicable: [
      'api.status-code.rate-limited',
      'api.status-code.unavailable',
      'api.status-code.unavailable-no-effect',
    ],
  },
  {
    id: 'control-without-faults',
    freedom: 'The control interface cannot inject faults.',
    file: CONTROL_INTERFACE,
    find: '...apiFaultRoutes(services),',
    replace: '',
    notApplicable: ['api.status-code.internal-error'],
  },
];
