import type { Mutant } from './mutant.ts';

const AGENTS = 'server-reference/dist/platform/routes/agents.js';
const GET_RUN = 'server-reference/dist/platform/routes/runs.js';
const SNAPSHOT = 'return runSnapshot(findRun(store.state, request));';

/** Lookups: agents by a string, the name of an automation, the result of a run. */
export const lookupMutants: readonly Mutant[] = [
  {
    id: 'agent-search-ignored',
    defect: 'The search parameter of the agents list is ignored.',
    file: AGENTS,
    find: 'query.search === undefined || matches',
    replace: 'query.search !== null || matches',
    fails: ['api.agent.search-none'],
  },
  {
    id: 'agent-search-whole-field',
    defect: 'The search finds only agents with an equal field.',
    file: AGENTS,
    find: 'text.toLowerCase().includes(lowerCase)',
    replace: 'text.toLowerCase() === lowerCase',
    fails: ['api.agent.search-finds'],
  },
  {
    id: 'agent-search-beginning-of-word',
    defect: 'The search finds only words that begin with the search string.',
    file: AGENTS,
    find: 'text.toLowerCase().includes(lowerCase)',
    replace: "text.toLowerCase().split(' ').some((word) => word.startsWith(lowerCase))",
    fails: ['api.agent.search-finds'],
  },
  {
    id: 'automation-name-is-slug',
    defect: 'automationName in the inbox is the slug of the automation.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'review.automationId)?.name',
    replace: 'review.automationId)?.slug',
    fails: ['api.inbox.automation-name'],
  },
  {
    id: 'run-without-output',
    defect: 'A run is read without its output.',
    file: GET_RUN,
    find: SNAPSHOT,
    replace: 'return { ...runSnapshot(findRun(store.state, request)), output: undefined };',
    fails: ['api.run.full-result'],
  },
  {
    id: 'run-output-cut-short',
    defect: 'Strings in the output of a run are cut after 256 KiB.',
    file: GET_RUN,
    find: SNAPSHOT,
    replace:
      "return JSON.parse(JSON.stringify(runSnapshot(findRun(store.state, request))), (_key, part) => typeof part === 'string' ? part.slice(0, 262_144) : part);",
    fails: ['api.run.full-result'],
  },
];
