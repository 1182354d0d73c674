import type { Mutant } from './mutant.ts';

const COPY = 'server-reference/dist/platform/routes/run-reviews.js';
const NAME_IT = 'expectedName === undefined ? outputFileName : readArtifactPath(';

/** Copies of run outputs among the expected files. */
export const feedbackMutants: readonly Mutant[] = [
  {
    id: 'copy-unknown-at-app-address',
    defect: 'The app address does not know the copy of an output.',
    file: COPY,
    find: 'const { outputFileName, expectedName } = request.body;',
    replace:
      "const { outputFileName, expectedName } = request.body;\n        if (request.incoming.url.startsWith('/api/')) throw notFound('id', 'unknown here');",
    fails: ['api.feedback-copy.app-address'],
  },
  {
    id: 'output-files-unknown',
    defect: 'A copy finds no output file.',
    file: COPY,
    find: 'path === outputFileName',
    replace: 'path === `/${outputFileName}`',
    fails: [
      'api.feedback-copy.app-address',
      'api.feedback-copy.copies',
      'api.feedback-copy.expected-name',
      'api.feedback-copy.expected-name-default',
      'api.feedback-copy.schema',
    ],
  },
  {
    id: 'output-file-name-optional',
    defect: 'A body without outputFileName is accepted and copies nothing.',
    file: 'server-reference/dist/platform/routes/validate-request.js',
    find: 'refuse(await checkBody(ctx.state.body));',
    replace:
      "if (ctx.path.endsWith('/feedback/expected') && typeof ctx.state.body.outputFileName !== 'string') {\n                ctx.body = { name: 'nothing' };\n                return;\n            }\n            refuse(await checkBody(ctx.state.body));",
    fails: ['api.feedback-copy.output-file-name-missing'],
  },
  {
    id: 'refused-copy-made',
    defect: 'The copy of a missing output is refused, and another output is copied.',
    file: COPY,
    find: "throw notFound('outputFileName', 'the run has no output file with this name');",
    replace:
      "state.runReviews[run.id] = { id: run.id, review: null, expectedFiles: [{ ...run.outputFiles[0], path: 'another.csv' }] };\n                throw notFound('outputFileName', 'unknown');",
    fails: ['api.feedback-copy.output-file-name-unknown'],
  },
  {
    id: 'unknown-output-copied',
    defect: 'The copy of an output that does not exist is accepted.',
    file: COPY,
    find: "throw notFound('outputFileName', 'the run has no output file with this name');",
    replace: 'return { name };',
    fails: ['api.feedback-copy.output-file-name-unknown'],
  },
  {
    id: 'expected-name-ignored',
    defect: 'expectedName is ignored.',
    file: COPY,
    find: NAME_IT,
    replace: 'expectedName !== null ? outputFileName : readArtifactPath(',
    fails: ['api.feedback-copy.expected-name'],
    outcome: 'conformant',
  },
  {
    id: 'copy-renamed-by-default',
    defect: "Without expectedName, the name of the copy differs from the output's.",
    file: COPY,
    find: NAME_IT,
    replace: 'expectedName === undefined ? `copy-of-${outputFileName}` : readArtifactPath(',
    fails: ['api.feedback-copy.expected-name-default'],
  },
  {
    id: 'copied-without-name',
    defect: 'The response to a copy has file instead of name.',
    file: COPY,
    find: 'return { name };',
    replace: 'return { file: name };',
    fails: [
      'api.feedback-copy.expected-name',
      'api.feedback-copy.expected-name-default',
      'api.feedback-copy.schema',
    ],
  },
];
