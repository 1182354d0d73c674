import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

import {
  applyBaseline,
  readBaseline,
  renderBaseline,
  updateBaseline,
} from '@hookproof/conformance';
import type { CheckReport, KnownFailure, Report } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './report/sample-report.ts';

const FAILING = 'api.response.auth-check';
const PASSING = 'api.operation.inbox';
const OTHER = 'api.scope.inbox-refused';

function line(more: Partial<KnownFailure> = {}): KnownFailure {
  const known = { reason: 'in review', owner: 'team-a', expires: '2026-01-01' };
  return { check: FAILING, ...known, ...more };
}

const RED: CheckReport = { ...sampleRed('x'), id: FAILING };
const GREEN = sampleCheck({ id: PASSING });

function violated(...checks: CheckReport[]): Report {
  const { counts } = sampleReport([]);
  return sampleReport(checks, {
    outcome: 'violated',
    exitCode: 1,
    counts: { ...counts, fail: checks.length },
  });
}

function incomplete(check: CheckReport): Report {
  return sampleReport([GREEN, check], { outcome: 'incomplete', exitCode: 3 });
}

describe('a baseline', () => {
  test('accepts its failure to the end of its day: the run is conformant', () => {
    const report = applyBaseline(violated(RED, GREEN), { failures: [line()] });
    expect(report).toMatchObject({
      outcome: 'conformant',
      exitCode: 0,
      headline: 'conformant: 1 known failure',
      counts: { fail: 0, known: 1, pass: 1 },
      baseline: { known: 1, problems: [] },
      requirements: [{ verdict: 'known' }],
    });
    expect(report.checks[0]).toMatchObject({
      verdict: 'known',
      known: { reason: 'in review', owner: 'team-a', expires: '2026-01-01' },
    });
  });

  test('accepts what cannot run, by what is missing: the run is conformant', () => {
    const gap = { reason: 'no such key', owner: 'team-a', expires: '2026-01-01' };
    const lacksOcr = sampleCheck({
      id: OTHER,
      verdict: 'could-not-run',
      remedies: [{ text: '--fixtures FILE', need: 'keys.ocr', inFixtures: true }],
    });
    const lacksMore = {
      ...lacksOcr,
      remedies: [...(lacksOcr.remedies ?? []), { text: '--app-url URL', need: 'appUrl' }],
    };
    const couldNotRun = [{ needs: 'keys.ocr', ...gap }];
    expect(applyBaseline(incomplete(lacksOcr), { failures: [], couldNotRun })).toMatchObject({
      outcome: 'conformant',
      exitCode: 0,
      counts: { 'could-not-run': 0, 'not-applicable': 1 },
    });
    expect(applyBaseline(incomplete(lacksMore), { failures: [], couldNotRun }).exitCode).toBe(3);
    const expired = [{ needs: 'keys.ocr', ...gap, expires: '2025-12-31' }];
    expect(
      applyBaseline(incomplete(lacksOcr), { failures: [], couldNotRun: expired }),
    ).toMatchObject({
      outcome: 'outdated-baseline',
      exitCode: 1,
      baseline: { problems: [{ check: 'keys.ocr', kind: 'expired' }] },
    });
    const updated = updateBaseline(incomplete(lacksMore), { failures: [] }, gap);
    expect(updated.couldNotRun?.map(({ needs }) => needs)).toEqual(['appUrl', 'keys.ocr']);
    expect(readBaseline(JSON.parse(renderBaseline(updated)))).toEqual(updated);
    const unknown = { failures: [], couldNotRun: [{ needs: 'keys.orc', ...gap }] };
    expect(() => readBaseline(unknown)).toThrow('Unknown need "keys.orc".');
  });

  test('accepts no other failure', () => {
    const report = applyBaseline(violated(RED, { ...RED, id: OTHER }), { failures: [line()] });
    expect(report).toMatchObject({ outcome: 'violated', exitCode: 1, counts: { fail: 1 } });
  });

  test('accepts nothing after its day, and says who must act', () => {
    const expired = line({ expires: '2025-12-31' });
    const report = applyBaseline(violated(RED), { failures: [expired] });
    expect(report).toMatchObject({ outcome: 'violated', exitCode: 1 });
    expect(report.baseline?.problems).toEqual([
      {
        check: FAILING,
        kind: 'expired',
        message: `${FAILING} was accepted until 2025-12-31. team-a must fix it, or write a new reason and date.`,
      },
    ]);
  });

  test('is outdated when its check passes now', () => {
    const stale = line({ check: PASSING });
    const report = applyBaseline(violated(RED, GREEN), { failures: [line(), stale] });
    expect(report).toMatchObject({
      outcome: 'outdated-baseline',
      exitCode: 1,
      headline: 'outdated baseline: 1 known failure; 1 line of the baseline is outdated',
    });
    expect(report.baseline?.problems).toEqual([
      {
        check: PASSING,
        kind: 'stale',
        message: `${PASSING} passes now. Remove its line from the baseline.`,
      },
    ]);
  });

  test('says nothing about a check that did not run', () => {
    const open = sampleCheck({ id: PASSING, verdict: 'inconclusive' });
    const lines = [line({ check: PASSING }), line({ check: OTHER })];
    const report = applyBaseline(sampleReport([open], { outcome: 'incomplete', exitCode: 3 }), {
      failures: lines,
    });
    expect(report).toMatchObject({
      outcome: 'incomplete',
      exitCode: 3,
      baseline: { problems: [] },
    });
  });

  test('keeps the outcome of an unreachable target', () => {
    const report = sampleReport([], {
      outcome: 'no-result',
      exitCode: 4,
      unreachable: { url: 'http://x', message: 'refused' },
    });
    const expired = line({ expires: '2025-12-31' });
    expect(applyBaseline(report, { failures: [expired] })).toMatchObject({ exitCode: 4 });
  });
});

describe('a baseline file', () => {
  test.each([
    [{}, 'expected a baseline, got a file without failures.'],
    [{ failures: [{ check: 'a' }] }, '/failures/0 without reason.'],
    [{ failures: [line({ check: 'api.none' })] }, 'Unknown check "api.none".'],
    [{ failures: [line(), line()] }, `${FAILING} must have one line, got two.`],
    [{ failures: [line({ reason: ' ' })] }, `reason of ${FAILING} must not be empty.`],
    [{ failures: [line({ reason: '', owner: '' })] }, 'reason and owner of'],
    [
      { failures: [line({ expires: '2026-02-30' })] },
      `expires of ${FAILING} must be a date such as 2027-01-31, got "2026-02-30".`,
    ],
    [{ failures: [line({ expires: 'soon' })] }, '/failures/0/expires, which must match pattern'],
  ])('%j is refused', (value, message) => {
    expect(() => readBaseline(value)).toThrow(
      expect.objectContaining({
        code: 'baseline_invalid',
        message: expect.stringContaining(message),
      }),
    );
  });

  test('follows its published schema', () => {
    const schema: object = JSON.parse(
      readFileSync(new URL('../../conformance/baseline.schema.json', import.meta.url), 'utf8'),
    );
    const validate = new Ajv2020().compile(schema);
    expect(validate(JSON.parse(renderBaseline({ failures: [line()] })))).toBe(true);
  });
});

const BY_TEAM = { reason: 'old gateway', owner: 'team-a' };

describe('an update of a baseline', () => {
  test('keeps lines that still apply, drops those that pass, and adds the new ones', () => {
    const expired = line({ check: 'api.wildcard-key.inbox', expires: '2025-12-31' });
    const before = { failures: [line(), line({ check: PASSING }), expired] };
    const after = updateBaseline(violated(RED, GREEN, { ...RED, id: OTHER }), before, BY_TEAM);
    expect(after.failures).toEqual([
      line(),
      { check: OTHER, ...BY_TEAM, expires: '2026-01-31' },
      expired,
    ]);
  });

  test('can be read again', () => {
    const after = updateBaseline(violated(RED), { failures: [] }, BY_TEAM);
    expect(readBaseline(JSON.parse(renderBaseline(after)))).toEqual(after);
  });

  test.each(['reason', 'owner'])('needs a %s', (name) => {
    const update = () =>
      updateBaseline(violated(RED), { failures: [] }, { ...BY_TEAM, [name]: ' ' });
    expect(update).toThrow(new TypeError(`${name} must not be empty.`));
  });
});
