import { beforeAll, describe, expect, test } from 'vitest';

import { renderJunit } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { scenarioResults } from '../scenario-results.ts';
import { xmlFaults } from './format-schemas.ts';
import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

/** What markup, parsers and terminals stumble over, as the text of a target. */
const HOSTILE =
  '</failure>]]> & "quoted" \'single\' <script>alert(1)</script> \u0000\u001B[31m \uD800 \uFFFE \u202E\n' +
  '| a | b |\n```\n::error::x\n<!-- --> `x` ``y`` **b** [l](http://evil) @somebody #1 %0A \\| <b>';

let reports: Record<string, Report> = {};

beforeAll(async () => {
  const results = await scenarioResults();
  reports = {
    // A scenario without a report is about options that are refused.
    ...Object.fromEntries(
      Object.entries(results)
        .filter(([, result]) => 'report' in result)
        .map(([name, { report }]) => [name, report]),
    ),
    hostile: sampleReport([sampleRed(HOSTILE), sampleCheck({ verdict: 'info' })], {
      headline: HOSTILE,
      suiteErrors: [HOSTILE],
      outcome: 'violated',
      exitCode: 1,
    }),
  };
});

/** One output for each report. */
function rendered(render: (report: Report) => string): Record<string, string> {
  expect(Object.keys(reports).length).toBeGreaterThan(15);
  return Object.fromEntries(
    Object.entries(reports).map(([name, report]) => [`${name}.xml`, render(report)]),
  );
}

/** Without a result, although the check could run. */
const OPEN: ReadonlySet<string> = new Set(['inconclusive', 'harness-error']);

describe('for every scenario and for hostile texts', () => {
  test('JUnit XML follows the schema of Jenkins', async () => {
    expect(await xmlFaults(rendered(renderJunit), 'junit')).toEqual([]);
  });

  test('JUnit XML is without failures and errors when the exit code is 0, or nothing but gaps made it 3', () => {
    const found = Object.entries(reports).map(([name, report]) => {
      const [, failures = '', errors = ''] =
        /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(renderJunit(report)) ?? [];
      return [name, failures === '0' && errors === '0'];
    });
    const codes = Object.entries(reports).map(([name, { exitCode, checks }]) => {
      const isOpen = checks.some(({ verdict }) => OPEN.has(verdict));
      return [name, exitCode === 0 || (exitCode === 3 && !isOpen)];
    });
    expect(found).toEqual(codes);
  });
});

test('the validators refuse what breaks a format', async () => {
  const junit = renderJunit(sampleReport([sampleCheck()]));
  const [unknown, cut] = await Promise.all([
    xmlFaults({ 'a.xml': junit.replaceAll('testcase', 'test-case') }, 'junit'),
    xmlFaults({ 'a.xml': junit.slice(0, -15) }, 'form'),
  ]);
  expect(unknown.join()).toContain('test-case');
  expect(cut).not.toEqual([]);
});
