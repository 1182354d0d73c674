import { datasetVariants } from './dataset-variants.ts';
import { fileVariants } from './file-variants.ts';
import type { Variant } from './mutant.ts';

/** Other choices of the server where the contract leaves them open. */
export const serverVariants: readonly Variant[] = [
  {
    id: 'success-202',
    freedom: 'A successful PATCH gets 202.',
    file: 'server-reference/dist/platform/routes/operation.js',
    find: 'ctx.status = successStatus;',
    replace: "ctx.status = ctx.method === 'PATCH' ? 202 : successStatus;",
  },
  {
    id: 'default-limit-10',
    freedom: 'The default limit is 10.',
    file: 'server-reference/dist/platform/resources/lists.js',
    find: 'DEFAULT_LIMIT = 50',
    replace: 'DEFAULT_LIMIT = 10',
  },
  {
    id: 'extra-members',
    freedom: 'Responses have additional fields.',
    file: 'server-reference/dist/platform/routes/operation.js',
    find: 'respondJson(ctx, reply);',
    replace: 'respondJson(ctx, { ...reply, extension: { anything: [1] } });',
  },
  {
    id: 'closed-at-null',
    freedom: 'closedAt stays null after closing.',
    file: 'server-reference/dist/platform/routes/reviews.js',
    find: 'review.closedAt = now;',
    replace: 'review.closedAt = null;',
  },
  {
    id: 'oldest-first',
    freedom: 'Lists begin with the oldest entry.',
    file: 'server-reference/dist/platform/resources/lists.js',
    find: 'list.slice(offset, offset + limit)',
    replace: '[...list].reverse().slice(offset, offset + limit)',
  },
  {
    id: 'digest-in-capitals',
    freedom: 'The digest is in upper-case hex.',
    file: 'server-reference/dist/platform/sender/headers.js',
    find: ".digest('hex')",
    replace: ".digest('hex').toUpperCase()",
  },
  {
    id: 'key-from-base64',
    freedom: 'The key is the part of the secret after whsec_, decoded from Base64.',
    file: 'server-reference/dist/platform/sender/headers.js',
    find: "createHmac('sha256', secret)",
    replace: "createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))",
  },
  {
    id: 'unknown-status-404',
    freedom: 'An unknown status in the filter gets 404.',
    file: 'server-reference/dist/platform/resources/lists.js',
    find: "throw badRequest('invalid_value', field,",
    replace:
      "throw ((...texts) => Object.assign(badRequest(...texts), { status: 404 }))('invalid_value', field,",
  },
  {
    id: 'other-codes',
    freedom: 'Issues have other codes and other messages.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: 'return { field, message, code,',
    replace: "return { field, message: 'No.', code: `E-${code.length}`,",
    notApplicable: ['api.envelope.conflict-owner'],
  },
  {
    id: 'field-as-json-path',
    freedom: 'The field of an issue begins with $.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: 'return { field, message, code,',
    replace: 'return { field: field === ROOT ? field : `$.${field}`, message, code,',
  },
  {
    id: 'docs-url',
    freedom: 'Envelopes have a docsUrl.',
    file: 'server-reference/dist/platform/http/api-error.js',
    find: '            requestId,\n',
    replace: "            requestId,\n            docsUrl: 'https://docs.example.com/errors',\n",
  },
  {
    id: 'closed-422',
    freedom: 'An update of a closed request gets 422.',
    file: 'server-reference/dist/platform/routes/reviews.js',
    find: 'new ApiError(409',
    replace: 'new ApiError(422',
  },
  {
    id: 'agent-move-409',
    freedom: 'Moving an agent gets 409.',
    file: 'server-reference/dist/platform/routes/automations.js',
    find: "throw badRequest('agent_not_movable', 'id', 'must be the id of a workflow, because agents have no folders', 'GET /v1/automations?type=workflow lists the workflows.');",
    replace:
      "throw new ApiError(409, [issue('agent_not_movable', 'id', 'agents have no folders')]);",
  },
  {
    id: 'content-type-with-charset',
    freedom: 'Deliveries name the charset.',
    file: 'server-reference/dist/platform/sender/headers.js',
    find: "'content-type': 'application/json'",
    replace: "'content-type': 'application/json; charset=utf-8'",
  },
  {
    id: 'payload-limit-1-mib',
    freedom: 'The payload limit is one megabyte.',
    file: 'server-reference/dist/platform/runs/events.js',
    find: 'PAYLOAD_LIMIT_BYTES = 262_144',
    replace: 'PAYLOAD_LIMIT_BYTES = 1_048_576',
    notApplicable: ['api.run.full-result'],
  },
  {
    id: 'run-wrapped',
    freedom: 'The response contains the run in the field run.',
    file: 'server-reference/dist/platform/routes/runs.js',
    find: 'return runSnapshot(findRun(store.state, request));',
    replace: 'return { run: runSnapshot(findRun(store.state, request)) };',
  },
  {
    id: 'agent-search-by-case',
    freedom: 'The search for agents heeds the case.',
    file: 'server-reference/dist/platform/routes/agents.js',
    find: 'text.toLowerCase().includes(lowerCase)',
    replace: 'text.includes(search)',
  },
  {
    id: 'refused-moves-pass-in-silence',
    freedom:
      'The control interface responds 200 to an impossible status change and changes nothing.',
    file: 'server-reference/dist/platform/runs/change-run.js',
    find: 'throw new RunTransitionError(previousStatus, move.status);',
    replace: 'return { run, deliveries: [] };',
  },
  {
    id: 'patient-sender',
    freedom: 'The sender waits ten minutes for a response.',
    file: 'server-reference/dist/platform/sender/attempt.js',
    find: 'ATTEMPT_DEADLINE_MILLISECONDS = 10_000',
    replace: 'ATTEMPT_DEADLINE_MILLISECONDS = 600_000',
  },
  {
    id: 'slow-retries',
    freedom: 'The first retry comes after five minutes.',
    file: 'server-reference/dist/platform/sender/retry.js',
    find: 'firstDelayMilliseconds: 400',
    replace: 'firstDelayMilliseconds: 300_000',
  },
  ...datasetVariants,
  ...fileVariants,
];

/** Other choices of the receiver where the contract leaves them open. */
export const receiverVariants: readonly Variant[] = [
  {
    id: 'accepted-201',
    freedom: 'A new event gets 201.',
    file: 'receiver/dist/receive/responses.js',
    find: 'accepted: 202',
    replace: 'accepted: 201',
  },
  {
    id: 'refused-400',
    freedom: 'An unauthentic delivery gets 400.',
    file: 'receiver/dist/receive/responses.js',
    find: 'headers: 401, signature: 401, freshness: 425',
    replace: 'headers: 400, signature: 400, freshness: 400',
  },
  {
    id: 'digest-in-lower-case-only',
    freedom: 'A digest in upper case is refused.',
    file: 'receiver/dist/verify/headers.js',
    find: 'const lower = code | 32;',
    replace: 'const lower = code;',
  },
  {
    id: 'older-events-passed-over',
    freedom: 'An event older than the newest one of its run is recorded but not handled.',
    file: 'receiver/dist/worker/plan-calls.js',
    find: 'call({ ...facts, ...context })',
    replace: "facts.arrival === 'applied' && call({ ...facts, ...context })",
  },
];
