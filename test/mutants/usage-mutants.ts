import type { Mutant } from './mutant.ts';

const USAGE = 'server-reference/dist/platform/routes/runs.js';
const EXPERIMENT = 'server-reference/dist/platform/routes/experiments.js';
const FIND_RUN = 'const run = findRun(store.state, request);';
const RESPONSE = 'return { usage: { ...run.usage, durationMs: durationOf(run, clock.now()) } };';
const REFERENCE = 'return { id, automationId };';

/** Usage of a run, and the automation of an experiment. */
export const usageMutants: readonly Mutant[] = [
  {
    id: 'usage-refused-at-the-end',
    defect: 'A request for the usage of an ended run gets 409.',
    file: USAGE,
    find: FIND_RUN,
    replace: `${FIND_RUN}\n        if (run.completedAt !== null) throw Object.assign(new Error(), { status: 409, expose: true });`,
    fails: ['api.run-usage.response'],
  },
  {
    id: 'usage-not-wrapped',
    defect: 'The response is the usage without its wrapper.',
    file: USAGE,
    find: RESPONSE,
    replace: 'return { ...run.usage, durationMs: durationOf(run, clock.now()) };',
    fails: ['api.run-usage.wrapped'],
  },
  {
    id: 'usage-without-cache-write',
    defect: 'The response omits the tokens written to the cache.',
    file: USAGE,
    find: RESPONSE,
    replace:
      'return { usage: { ...run.usage, tokens: { ...run.usage.tokens, cacheWrite: undefined }, durationMs: 0 } };',
    fails: ['api.run-usage.tokens'],
  },
  {
    id: 'usage-of-half-tokens',
    defect: 'Tokens are not integers.',
    file: USAGE,
    find: RESPONSE,
    replace:
      'return { usage: { ...run.usage, tokens: { ...run.usage.tokens, input: run.usage.tokens.input + 0.5 }, durationMs: 0 } };',
    fails: ['api.run-usage.tokens'],
  },
  {
    id: 'usage-credits-as-text',
    defect: 'The credits are a string.',
    file: USAGE,
    find: RESPONSE,
    replace: "return { usage: { ...run.usage, durationMs: 0, creditsCharged: '1.75' } };",
    fails: ['api.run-usage.numbers'],
  },
  {
    id: 'usage-of-unknown-run',
    defect: 'The usage of an unknown run is that of any run.',
    file: USAGE,
    find: FIND_RUN,
    replace:
      "const run = Object.hasOwn(store.state.runs, request.path['id'] ?? '') ? findRun(store.state, request) : Object.values(store.state.runs)[0];",
    fails: ['api.run-usage.unknown-run'],
  },
  {
    id: 'foreign-usage-shown',
    defect: 'The usage of a run is shown to other tenants.',
    file: USAGE,
    find: FIND_RUN,
    replace:
      "const run = store.state.runs[request.path['id'] ?? ''] ?? findRun(store.state, request);",
    fails: ['api.tenant.foreign-usage-withheld'],
  },
  {
    id: 'experiment-without-automation',
    defect: 'An experiment does not name its automation.',
    file: EXPERIMENT,
    find: REFERENCE,
    replace: 'return { id };',
    fails: ['api.experiment.fields', 'api.experiment.owner'],
  },
  {
    id: 'experiment-of-another-automation',
    defect: 'An experiment has the id of another automation.',
    file: EXPERIMENT,
    find: REFERENCE,
    replace: "return { id, automationId: 'wf_of_another_tenant' };",
    fails: ['api.experiment.owner'],
  },
  {
    id: 'experiment-of-another-id',
    defect: 'The response has another experiment id.',
    file: EXPERIMENT,
    find: REFERENCE,
    replace: "return { id: id.replace('exp_', 'batch_'), automationId };",
    fails: ['api.experiment.asked-for'],
  },
  {
    id: 'foreign-experiment-shown',
    defect: 'An experiment is shown to other tenants.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: 'experiment.tenantId !== key.tenantId',
    replace: 'key.tenantId === undefined',
    fails: ['api.tenant.foreign-experiment-withheld'],
  },
];
