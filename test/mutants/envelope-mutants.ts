import type { Mutant } from './mutant.ts';

/** The error envelope. */
export const envelopeMutants: readonly Mutant[] = [
  {
    id: 'envelope-without-request-id',
    defect: 'The envelope has no requestId.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: '            requestId,\n',
    replace: '',
    fails: ['api.envelope.schema', 'api.envelope.request-id-header'],
  },
  {
    id: 'request-id-header-differs',
    defect: 'x-request-id differs from the requestId of the envelope.',
    file: 'server-reference/dist/platform/http/request.js',
    find: 'ctx.set(REQUEST_ID_HEADER, ctx.state.requestId);',
    replace: 'ctx.set(REQUEST_ID_HEADER, newRequestId());',
    fails: ['api.envelope.request-id-header'],
  },
  {
    id: 'envelope-with-status',
    defect: 'The envelope has an additional field.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: '            requestId,\n',
    replace: '            requestId,\n            status: this.status,\n',
    fails: ['api.envelope.closed'],
  },
  {
    id: 'hint-as-list',
    defect: 'The hint is an array.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: '{} : { hint }),\n            ...(conflicting',
    replace: '{} : { hint: [hint] }),\n            ...(conflicting',
    fails: ['api.envelope.schema'],
  },
  {
    id: 'severity-fatal',
    defect: 'Issues have the severity fatal.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: "severity: 'error' }",
    replace: "severity: 'fatal' }",
    fails: ['api.envelope.issue-severity'],
  },
  {
    id: 'issue-without-code',
    defect: 'Issues have no code.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: 'return { field, message, code,',
    replace: 'return { field, message,',
    fails: ['api.envelope.issue-fields'],
  },
  {
    id: 'issue-names-no-field',
    defect: 'The field of every issue is "request".',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: 'return { field, message, code,',
    replace: "return { field: 'request', message, code,",
    fails: ['api.envelope.issue-names-field'],
  },
  ...plainText(400, [
    'api.envelope.bad-request',
    'api.envelope.malformed-json',
    'api.review-update.error-envelope',
  ]),
  ...plainText(401, ['api.envelope.unauthorized']),
  ...plainText(403, ['api.envelope.forbidden']),
  ...plainText(404, ['api.envelope.not-found', 'api.envelope.unknown-path']),
  {
    id: 'unknown-path-as-text',
    defect: 'An unknown path gets plain text.',
    file: 'server-reference/dist/platform/http/mount.js',
    find: "throw notFound(ROOT, 'no operation has this path');",
    replace: "{ ctx.status = 404; ctx.body = 'Not Found'; return; }",
    fails: ['api.envelope.unknown-path'],
  },
  {
    id: 'malformed-json-422',
    defect: 'A body that is not JSON gets 422.',
    file: 'server-reference/dist/platform/http/body.js',
    find: "throw badRequest('malformed_json', ROOT, `the body is ${why}`);",
    replace: "throw new ApiError(422, [issue('malformed_json', ROOT, `the body is ${why}`)]);",
    fails: ['api.envelope.malformed-json'],
  },
];

function plainText(status: number, fails: readonly string[]): Mutant[] {
  return [
    {
      id: `${status}-as-text`,
      defect: `A ${status} has a body of plain text.`,
      file: 'server-reference/dist/platform/http/error-exit.js',
      find: 'respondJson(ctx, failure.envelope(requestId));',
      replace: `if (failure.status === ${status})\n                ctx.body = failure.message;\n            else\n                respondJson(ctx, failure.envelope(requestId));`,
      fails,
    },
  ];
}
