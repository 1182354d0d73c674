import type { Mutant } from './mutant.ts';

const MOVE = 'server-reference/dist/platform/routes/automations.js';
const LIMITS = 'server-reference/dist/platform/access/rate-limit.js';

/** The statuses 409, 413, 429, 500 and 503. */
export const statusMutants: readonly Mutant[] = [
  {
    id: 'name-conflict-400',
    defect: 'A name conflict gets 400.',
    file: MOVE,
    find: 'throw new ApiError(409,',
    replace: 'throw new ApiError(400,',
    fails: ['api.status-code.conflict'],
  },
  {
    id: 'name-conflict-ignored',
    defect: 'A workflow can be moved to where its name is taken.',
    file: MOVE,
    find: 'if (owner === undefined)',
    replace: 'if (owner !== null)',
    fails: ['api.status-code.conflict'],
  },
  {
    id: 'conflict-names-the-moved',
    defect: 'A name conflict names the workflow that was to be moved.',
    file: MOVE,
    find: 'conflictingWorkflowId: owner.id',
    replace: 'conflictingWorkflowId: automation.id',
    fails: ['api.envelope.conflict-owner'],
  },
  {
    id: 'conflict-without-owner',
    defect: 'A name conflict has no conflictingWorkflowId.',
    file: MOVE,
    find: ', conflictingWorkflowId: owner.id',
    replace: '',
    fails: ['api.envelope.conflict-owner'],
  },
  {
    id: 'too-large-400',
    defect: 'A body that is too large gets 400.',
    file: 'server-reference/dist/platform/http/body.js',
    find: 'return new ApiError(413,',
    replace: 'return new ApiError(400,',
    fails: ['api.status-code.size-cap'],
  },
  {
    id: 'rate-limited-without-retry-after',
    defect: 'A 429 has no Retry-After.',
    file: LIMITS,
    find: "headers: { 'Retry-After': String(seconds) },",
    replace: '',
    fails: ['api.status-code.rate-limited'],
  },
  {
    id: 'rate-limited-until-date',
    defect: 'A 429 gives a date in Retry-After.',
    file: LIMITS,
    find: "'Retry-After': String(seconds)",
    replace: "'Retry-After': new Date(Date.now() + seconds * 1000).toUTCString()",
    fails: ['api.status-code.rate-limited'],
  },
  {
    id: 'unavailable-without-retry-after',
    defect: 'A 503 has no Retry-After.',
    file: LIMITS,
    find: "headers: { 'Retry-After': String(ACCOUNTING_RETRY_SECONDS) },",
    replace: '',
    fails: ['api.status-code.unavailable'],
  },
  {
    id: 'unavailable-and-processed',
    defect: 'A request that gets 503 is processed.',
    file: LIMITS,
    find: 'throw unavailable();',
    replace: '{\n            await next();\n            throw unavailable();\n        }',
    fails: ['api.status-code.unavailable-no-effect'],
  },
  {
    id: 'internal-error-502',
    defect: 'An internal error gets 502.',
    file: 'server-reference/dist/platform/http/error-exit.js',
    find: 'ctx.status = failure.status;',
    replace: 'ctx.status = failure.status === 500 ? 502 : failure.status;',
    fails: ['api.status-code.internal-error'],
  },
];
