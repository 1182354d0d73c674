/** Sources of pure decisions, with the unit tests that kill their mutants. */
export interface Group {
  readonly name: string;
  /** Glob patterns, from the project's root. */
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

export const GROUPS: readonly Group[] = [
  {
    name: 'verify',
    sources: ['receiver/src/verify/{headers,verifier,errors}.ts'],
    tests: ['test/receiver/verify*.test.ts'],
  },
  {
    name: 'order',
    sources: ['receiver/src/order/*.ts'],
    tests: ['test/receiver/order/*.test.ts'],
  },
  {
    name: 'retry',
    sources: ['server-reference/src/events/retry.ts'],
    tests: ['test/server-reference/events/{backoff,retry-after,retry-decision}.test.ts'],
  },
  {
    name: 'transitions',
    sources: ['server-reference/src/events/run-transitions.ts'],
    tests: ['test/server-reference/events/run-transitions.test.ts'],
  },
  {
    name: 'gate',
    sources: ['conformance/src/wire/gate-rules.ts'],
    tests: ['test/conformance/wire/gate-rules.test.ts'],
  },
  {
    name: 'verdicts',
    sources: ['conformance/src/verdict/verdict.ts'],
    tests: ['test/conformance/**/verdict.test.ts'],
  },
];
