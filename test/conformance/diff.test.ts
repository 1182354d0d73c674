import { describe, expect, test } from 'vitest';

import { diffReports, readReport, renderDiff } from '@hookproof/conformance';
import type { CheckReport, Verdict } from '@hookproof/conformance';

import { sampleCheck, sampleReport } from './report/sample-report.ts';

function check(id: string, verdict: Verdict): CheckReport {
  return sampleCheck({ id, verdict, message: `${id} says ${verdict}` });
}

const BEFORE = sampleReport([
  check('a.same', 'fail'),
  check('b.fixed', 'fail'),
  check('c.breaks', 'pass'),
  check('d.opens', 'pass'),
  check('e.gone', 'pass'),
  check('f.accepted', 'fail'),
  check('g.solved', 'known'),
]);
const AFTER = sampleReport([
  check('a.same', 'fail'),
  check('b.fixed', 'pass'),
  check('c.breaks', 'fail'),
  check('d.opens', 'inconclusive'),
  check('f.accepted', 'known'),
  check('g.solved', 'pass'),
  check('h.new', 'pass'),
  check('i.new-fail', 'fail'),
]);

describe('the difference of two reports', () => {
  const diff = diffReports(BEFORE, AFTER);

  test('puts each check that changed into one list', () => {
    const ids = Object.fromEntries(
      Object.entries(diff).map(([list, changes]: [string, readonly { check: string }[]]) => [
        list,
        changes.map((change) => change.check),
      ]),
    );
    expect(ids).toEqual({
      newFails: ['c.breaks'],
      firstFails: ['i.new-fail'],
      fixed: ['b.fixed', 'g.solved'],
      changed: ['d.opens', 'f.accepted'],
      onlyBefore: ['e.gone'],
      onlyAfter: ['h.new'],
    });
  });

  test('names both verdicts, and the message where there is something to do', () => {
    expect(renderDiff(diff)).toBe(
      [
        'New fails',
        '  c.breaks: pass → fail\n    c.breaks says fail',
        '',
        'Fails that did not run before',
        '  i.new-fail: fail, did not run before\n    i.new-fail says fail',
        '',
        'Fixed',
        '  b.fixed: fail → pass',
        '  g.solved: known failure → pass',
        '',
        'Other verdict',
        '  d.opens: pass → inconclusive\n    d.opens says inconclusive',
        '  f.accepted: fail → known failure\n    f.accepted says known',
        '',
        'Only in the first report',
        '  e.gone: pass, did not run again',
        '',
        'Only in the second report',
        '  h.new: pass, did not run before',
        '',
        '1 new fail, 1 of checks that did not run before, 2 fixed, 2 other verdicts',
        '',
      ].join('\n'),
    );
  });

  test('folds many checks whose verdicts changed in the same way', () => {
    const ids = Array.from({ length: 120 }, (_, place) => `a.check-${place + 1}`);
    const before = sampleReport(ids.map((id) => check(id, 'could-not-run')));
    const after = sampleReport(ids.map((id) => check(id, 'pass')));
    expect(renderDiff(diffReports(before, after))).toBe(
      [
        'Other verdict',
        '  120 checks: could not run → pass',
        '    a.check-1, a.check-2, a.check-3 and 117 more; --json lists them',
        '',
        '0 new fails, 0 fixed, 120 other verdicts',
        '',
      ].join('\n'),
    );
  });

  test('of a report with itself is empty', () => {
    expect(renderDiff(diffReports(AFTER, AFTER))).toBe('No verdict changed.\n');
  });
});

test('a value that is no report is refused with its place', () => {
  expect(() => readReport({ ...AFTER, outcome: 'fine' })).toThrow(
    expect.objectContaining({
      code: 'report_invalid',
      message: expect.stringMatching(
        /^expected a JSON report of hookproof check, got \/outcome that is not one of "conformant", /,
      ),
    }),
  );
});
