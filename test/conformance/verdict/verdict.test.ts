import { describe, expect, test } from 'vitest';

import { outcomeExitCode } from '@hookproof/conformance';
import type { Verdict } from '@hookproof/conformance';

import { outcomeOf, VERDICTS, verdictOf } from '../../../conformance/src/verdict/verdict.ts';

const violation = {
  kind: 'violation',
  detail: { expected: 'a', actual: 'b' },
  confirmed: 2,
  steps: [],
} as const;

describe('verdictOf', () => {
  test.each([
    ['must', 'fail'],
    ['should', 'advice'],
    ['may', 'info'],
  ] as const)('a violated %s is %s', (level, verdict) => {
    expect(verdictOf(violation, level)).toBe(verdict);
  });

  test.each([
    { kind: 'pass' },
    { kind: 'inconclusive', message: '' },
    { kind: 'harness-error', message: '' },
    { kind: 'could-not-run', message: '', remedies: [{ text: 'x' }] },
    { kind: 'not-applicable', message: '' },
    { kind: 'locked', message: '' },
  ] as const)('$kind is itself at every level', (finding) => {
    for (const level of ['must', 'should', 'may'] as const) {
      expect(verdictOf(finding, level)).toBe(finding.kind);
    }
  });
});

describe('outcomeOf', () => {
  const table: [verdicts: Verdict[], outcome: string, exitCode: number][] = [
    [[], 'no-result', 3],
    [['not-applicable'], 'no-result', 3],
    [['could-not-run'], 'no-result', 3],
    [['inconclusive', 'not-applicable'], 'no-result', 3],
    [['harness-error'], 'no-result', 5],
    [['pass'], 'conformant', 0],
    [['pass', 'not-applicable'], 'conformant', 0],
    [['pass', 'locked'], 'conformant', 0],
    [['locked'], 'no-result', 3],
    [['advice'], 'conformant', 0],
    [['info', 'advice', 'pass'], 'conformant', 0],
    [['pass', 'could-not-run'], 'incomplete', 3],
    [['pass', 'inconclusive'], 'incomplete', 3],
    [['pass', 'harness-error'], 'incomplete', 5],
    [['fail'], 'violated', 1],
    [['fail', 'could-not-run', 'inconclusive'], 'violated', 1],
    [['fail', 'harness-error'], 'violated', 1],
  ];

  test.each(table)('%j: %s, exit code %i', (verdicts, outcome, exitCode) => {
    const checks = verdicts.map((verdict) => ({ verdict }));
    const decided = outcomeOf(verdicts, 0);
    expect(decided).toBe(outcome);
    expect(outcomeExitCode({ outcome: decided, unreachable: null, suiteErrors: [], checks })).toBe(
      exitCode,
    );
  });

  test('an error of the suite makes a run incomplete', () => {
    expect(outcomeOf(['pass'], 1)).toBe('incomplete');
    const run = {
      outcome: 'incomplete',
      unreachable: null,
      suiteErrors: ['?'],
      checks: [],
    } as const;
    expect(outcomeExitCode(run)).toBe(5);
    expect(outcomeExitCode({ ...run, outcome: 'violated' })).toBe(1);
  });

  test('an unreachable target decides the exit code', () => {
    const run = { outcome: 'no-result', suiteErrors: [], checks: [] } as const;
    expect(outcomeExitCode({ ...run, unreachable: { url: '', message: '' } })).toBe(4);
  });

  test('only pass, known, advice and info make a run conformant', () => {
    const judged = VERDICTS.filter((verdict) => outcomeOf([verdict], 0) === 'conformant');
    expect(judged).toEqual(['known', 'advice', 'info', 'pass']);
  });
});
