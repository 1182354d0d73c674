import { EDITABLE_REVIEW_STATUSES } from '@hookproof/spec';

import type { Mutant } from './mutant.ts';

const UPDATE = 'server-reference/dist/platform/routes/reviews.js';
const ASSIGN = 'Object.assign(review, changes);';
const CLOSE = EDITABLE_REVIEW_STATUSES.map((status) => `api.review-update.close-${status}`);

/** The update of a review request. */
export const reviewMutants: readonly Mutant[] = [
  ...Object.entries({
    title: 'title',
    instructions: 'instructions',
    focusFields: 'focus-fields',
    ignoredFields: 'ignored-fields',
  }).map(([field, name]) => ({
    id: `${name}-not-updated`,
    defect: `An update does not change ${field}.`,
    file: UPDATE,
    find: ASSIGN,
    replace: `Object.assign(review, { ...changes, ${field}: review.${field} });`,
    fails: [`api.review-update.${name}`],
  })),
  {
    id: 'closing-ignored',
    defect: 'An update does not change the status.',
    file: UPDATE,
    find: ASSIGN,
    replace: 'Object.assign(review, { ...changes, status: review.status });',
    fails: CLOSE,
  },
  ...EDITABLE_REVIEW_STATUSES.map((status) => ({
    id: `${status}-not-editable`,
    defect: `A ${status} request refuses updates.`,
    file: UPDATE,
    find: "if (review.status !== 'closed')",
    replace: `if (review.status !== 'closed' && review.status !== '${status}')`,
    fails: [
      `api.review-update.editable-${status}`,
      `api.review-update.close-${status}`,
      ...(status === 'open'
        ? ['title', 'instructions', 'focus-fields', 'ignored-fields'].map(
            (name) => `api.review-update.${name}`,
          )
        : []),
    ],
  })),
  {
    id: 'closed-still-editable',
    defect: 'A closed request accepts updates.',
    file: UPDATE,
    find: "if (review.status !== 'closed')",
    replace: 'if (review.id !== undefined)',
    fails: ['api.review-update.closed-refused', 'api.review-update.closed-unchanged'],
  },
  {
    id: 'closed-refused-and-changed',
    defect: 'An update of a closed request is refused and made all the same.',
    file: UPDATE,
    find: '            refuseClosed(review);',
    replace:
      "            if (review.status === 'closed') Object.assign(review, readChanges(request.body));\n            refuseClosed(review);",
    fails: ['api.review-update.closed-unchanged'],
  },
  {
    id: 'removed-in-detail-form',
    defect: 'The progress of an update calls the counter removed, as the inbox does.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'rejected: removed }',
    replace: 'removed }',
    fails: ['api.review-update.detail-schema', 'api.review-update.progress-arithmetic'],
  },
  {
    id: 'rejected-always-zero',
    defect: 'The progress in the response to an update does not count rejected examples.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'rejected: removed }',
    replace: 'rejected: 0 }',
    fails: ['api.review-update.progress-arithmetic'],
  },
  {
    id: 'detail-without-closed-at',
    defect: 'The detail form has no closedAt.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'const { tenantId: _tenantId, ...fields } = review;\n    return {\n        ...fields,\n',
    replace:
      'const { tenantId: _tenantId, ...fields } = review;\n    return {\n        ...fields,\n        closedAt: undefined,\n',
    fails: ['api.review-update.detail-schema'],
  },
  {
    id: 'items-without-status',
    defect: 'Items of the detail form have no status.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'const { tenantId: _tenantId, ...fields } = review;\n    return {\n        ...fields,\n',
    replace:
      'const { tenantId: _tenantId, ...fields } = review;\n    return {\n        ...fields,\n        items: review.items.map((item) => ({ ...item, status: undefined })),\n',
    fails: ['api.review-update.item-schema'],
  },
  {
    id: 'events-without-action',
    defect: 'Events of the detail form have no action.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'events: [...review.events],',
    replace: 'events: review.events.map((event) => ({ ...event, action: undefined })),',
    fails: ['api.review-update.event-schema'],
  },
  {
    id: 'events-of-no-review',
    defect: 'Events of the detail form do not name their request.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'events: [...review.events],',
    replace: "events: review.events.map((event) => ({ ...event, reviewId: '' })),",
    fails: ['api.review-update.item-review-id'],
  },
  {
    id: 'update-not-validated',
    defect: 'Bodies are not validated against their schema.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'refuse(await checkBody(ctx.state.body));',
    replace: '',
    fails: [
      'api.review-update.wrong-type',
      'api.review-update.status-unknown',
      'api.review-update.error-envelope',
      'api.automation-move.wrong-type',
      'api.expected-rename.wrong-type',
    ],
  },
  {
    id: 'any-review-status-accepted',
    defect: 'An update accepts any word for a status.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'refuse(await checkBody(ctx.state.body));',
    replace: "refuse((await checkBody(ctx.state.body)).filter(({ field }) => field !== 'status'));",
    fails: ['api.review-update.status-unknown'],
  },
  {
    id: 'unknown-review-410',
    defect: 'An unknown review request gets 410.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: "throw notFound('reviewId', 'the automation has no dataset review request with this id');",
    replace: "throw Object.assign(notFound('reviewId', 'gone'), { status: 410 });",
    // The foreign id is compared with an unknown one. Its automation still gets 404.
    fails: ['api.review-update.unknown-review', 'api.tenant.foreign-review-refused'],
  },
];
