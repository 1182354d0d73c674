import type { Mutant } from './mutant.ts';

const RENAME = 'server-reference/dist/platform/routes/datasets.js';
const DELETE = 'server-reference/dist/platform/routes/datasets.js';
const UPDATE = 'server-reference/dist/platform/routes/reviews.js';
const VALIDATE = 'server-reference/dist/platform/routes/validate-request.js';
const FILE_IT = 'example.expected = inOrder([...others, { ...file, path: to }]);';
const LEAVE_OUT = 'example.input = others;';
const CLOSE_IT = "if (changes.status === 'closed')\n        review.closedAt = now;";
const WRITE_BACK =
  'for (const one of Object.values(state.examples)) if (one.automationId === review.automationId) one.expected = [];';

/** Renames of expected files, deletions of input files, and effects of reviews on a dataset. */
export const datasetMutants: readonly Mutant[] = [
  {
    id: 'rename-moves-to-the-top',
    defect: 'A renamed file moves to the top of the expected folder.',
    file: RENAME,
    find: "readArtifactPath(folder + filename, 'newFilename')",
    replace: "readArtifactPath(filename, 'newFilename')",
    fails: ['api.expected-rename.parent-kept'],
  },
  {
    id: 'rename-copies',
    defect: 'A rename leaves a copy under the old name.',
    file: RENAME,
    find: FILE_IT,
    replace: 'example.expected = inOrder([...others, file, { ...file, path: to }]);',
    fails: [
      'api.expected-rename.renames',
      'api.expected-rename.subfolder',
      'api.expected-rename.alias',
    ],
  },
  {
    id: 'rename-drops-others',
    defect: 'A rename removes the other expected files of the example.',
    file: RENAME,
    find: FILE_IT,
    replace: 'example.expected = [{ ...file, path: to }];',
    fails: ['api.expected-rename.renames'],
  },
  {
    id: 'rename-at-the-top-only',
    defect: 'A rename finds no file in a subfolder.',
    file: RENAME,
    find: 'find((one) => one.path === from)',
    replace: "find((one) => one.path === from && !from.includes('/'))",
    fails: [
      'api.expected-rename.renames',
      'api.expected-rename.subfolder',
      'api.expected-rename.schema',
      'api.expected-rename.alias',
    ],
  },
  {
    id: 'new-filename-of-any-type',
    defect: 'A numeric newFilename is treated as a string.',
    file: VALIDATE,
    find: 'refuse(await checkBody(ctx.state.body));',
    replace:
      "if (typeof ctx.state.body.newFilename === 'number')\n                ctx.state.body.newFilename = String(ctx.state.body.newFilename);\n            refuse(await checkBody(ctx.state.body));",
    fails: ['api.expected-rename.wrong-type'],
  },
  {
    id: 'renamed-without-ok',
    defect: 'The response to a rename has no ok.',
    file: RENAME,
    find: 'return { ok: true, filename, path: to };',
    replace: 'return { filename, path: to };',
    fails: ['api.expected-rename.schema'],
  },
  {
    id: 'rename-alias-unknown',
    defect: 'A rename does not accept aliases.',
    file: RENAME,
    find: "path['id'] ?? '');\n            const example = findExample(state, automation, path['exampleId'] ?? '');\n            const file =",
    replace:
      "path['id'].replace('.', ':'));\n            const example = findExample(state, automation, path['exampleId'] ?? '');\n            const file =",
    fails: ['api.expected-rename.alias'],
  },
  {
    id: 'delete-without-effect',
    defect: 'A delete is accepted and removes nothing.',
    file: DELETE,
    find: LEAVE_OUT,
    replace: '',
    fails: ['api.input-delete.deletes', 'api.input-delete.subfolder', 'api.input-delete.alias'],
  },
  {
    id: 'delete-takes-all',
    defect: 'A delete removes all input files of the example.',
    file: DELETE,
    find: LEAVE_OUT,
    replace: 'example.input = [];',
    fails: ['api.input-delete.deletes'],
  },
  {
    id: 'delete-at-the-top-only',
    defect: 'A delete finds no file in a subfolder.',
    file: DELETE,
    find: 'file.path !== place',
    replace: "file.path !== place || place.includes('/')",
    fails: [
      'api.input-delete.deletes',
      'api.input-delete.subfolder',
      'api.input-delete.without-body',
      'api.input-delete.alias',
    ],
  },
  {
    id: 'delete-needs-body',
    defect: 'A delete without a body is refused.',
    file: DELETE,
    find: 'handle({ key, path }) {',
    replace:
      "handle({ key, path, incoming }) {\n        if (incoming.headers['content-type'] === undefined) throw notFound('path', 'no body');",
    fails: [
      'api.input-delete.deletes',
      'api.input-delete.subfolder',
      'api.input-delete.without-body',
      'api.input-delete.alias',
    ],
  },
  {
    id: 'delete-alias-unknown',
    defect: 'A delete does not accept aliases.',
    file: DELETE,
    find: "path['id'] ?? '');\n            const example = findExample(state, automation, path['exampleId'] ?? '');\n            const others =",
    replace:
      "path['id'].replace('.', ':'));\n            const example = findExample(state, automation, path['exampleId'] ?? '');\n            const others =",
    fails: ['api.input-delete.alias'],
  },
  {
    id: 'closing-writes-back',
    defect: 'Closing a review request changes expected files of the dataset.',
    file: UPDATE,
    find: CLOSE_IT,
    replace: `if (changes.status === 'closed') {\n        review.closedAt = now;\n        ${WRITE_BACK}\n    }`,
    fails: ['api.review-update.close-leaves-dataset'],
  },
  {
    id: 'editing-writes-back',
    defect: 'An update of an open review request changes expected files of the dataset.',
    file: UPDATE,
    find: CLOSE_IT,
    replace: `${CLOSE_IT}\n    else\n        ${WRITE_BACK}`,
    fails: ['api.review-update.edit-leaves-dataset'],
  },
];
