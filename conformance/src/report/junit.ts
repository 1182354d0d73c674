import type { Verdict } from '../verdict/verdict.ts';
import { evidenceOf } from './evidence.ts';
import type { Markup } from './html/markup.ts';
import type { CheckReport, Report } from './model.ts';
import { bySide } from './order.ts';
import { knownText, targetText, trafficText } from './wording.ts';
import { element } from './xml.ts';

type Result = 'passed' | 'skipped' | 'error' | 'failure';

/** What could not run is only skipped: a run with partial fixtures must not make a page of tests red for ever. */
const RESULTS: Readonly<Record<Verdict, Result>> = {
  pass: 'passed',
  known: 'skipped',
  advice: 'passed',
  info: 'passed',
  'not-applicable': 'skipped',
  locked: 'skipped',
  fail: 'failure',
  'could-not-run': 'skipped',
  inconclusive: 'error',
  'harness-error': 'error',
};

/** A test of JUnit: a check, or something that no check states. */
interface TestCase {
  readonly id: string;
  readonly title: string;
  readonly milliseconds: number;
  readonly result: Result;
  readonly type: string;
  readonly message: string;
  readonly details: string;
}

/** A group of tests with what they have in common. */
interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly properties: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly startedAt: string;
}

/**
 * Returns the report as JUnit XML: a suite for each side and one for the run itself. A test has the title of its check as
 * name, its id as class name and the time that it took; a suite and the whole have the sums. Failures are `fail`; errors are
 * the inconclusive checks, errors of the suite, and what is not put back. What could not run is skipped: read the exit code
 * of the run too.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderJunit, runConformance } from '@hookproof/conformance';
 *
 * export async function writeReport(baseUrl: string): Promise<void> {
 *   await writeFile('junit.xml', renderJunit(await runConformance({ baseUrl })));
 * }
 * ```
 */
export function renderJunit(report: Report): string {
  const suites = suitesOf(report);
  const cases = suites.flatMap((suite) => suite.cases);
  const root = element(
    'testsuites',
    { name: 'hookproof', ...totals(cases), time: timeOf(cases) },
    suites.map(suiteElement),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`;
}

/** One for each side, and one for what no check states. */
function suitesOf(report: Report): TestSuite[] {
  const { target, startedAt, suite: program, wire } = report;
  const properties = {
    suite: `${program.name} ${program.version}`,
    target: targetText(target),
    traffic: trafficText(wire),
    duration: `${seconds(report.durationMilliseconds)} s`,
  };
  const suite = (name: string, cases: readonly TestCase[]): TestSuite => {
    return { name, cases, properties, startedAt };
  };
  return [
    ...bySide(report.checks).map(({ side, checks }) => suite(side, checks.map(caseOf))),
    suite('run', casesOfRun(report)),
  ];
}

function suiteElement({ name, cases, properties, startedAt }: TestSuite, id: number): Markup {
  const attributes = {
    name,
    ...totals(cases),
    skipped: count(cases, 'skipped'),
    time: timeOf(cases),
    // The schema of Ant allows neither fractions of a second nor a time zone.
    timestamp: startedAt.slice(0, 19),
    hostname: 'localhost',
    id,
    package: 'hookproof',
  };
  return element('testsuite', attributes, [
    element(
      'properties',
      {},
      Object.entries(properties).map(([key, value]) => element('property', { name: key, value })),
    ),
    ...cases.map(testCase),
  ]);
}

function testCase({ id, title, milliseconds, result, type, message, details }: TestCase): Markup {
  const attributes = { name: title, classname: id, time: seconds(milliseconds) };
  if (result === 'passed') return element('testcase', attributes);
  const content =
    result === 'skipped'
      ? element('skipped', {}, details === '' ? message : `${message}\n${details}`)
      : element(result, { message, type }, details);
  return element('testcase', attributes, [content]);
}

function caseOf(check: CheckReport): TestCase {
  const { id, title, verdict, message, durationMilliseconds, remedies = [] } = check;
  const details = evidenceOf(check).map(({ label, text }) => `${label}: ${text}`);
  return {
    id,
    title,
    milliseconds: durationMilliseconds,
    result: RESULTS[verdict],
    type: verdict,
    message: check.known === undefined ? message : `known failure: ${knownText(check)}`,
    details: [...details, ...remedies.map((remedy) => `remedy: ${remedy.text}`)].join('\n'),
  };
}

/** The outcome, when no check states it, and what went wrong outside the checks. */
function casesOfRun(report: Report): TestCase[] {
  const { outcome, exitCode, headline, suiteErrors, checks } = report;
  const stated = checks.some(({ verdict }) => RESULTS[verdict] === 'failure');
  const isPartial = exitCode === 3 && !checks.some(({ verdict }) => RESULTS[verdict] === 'error');
  const result = exitCode === 0 || stated || isPartial ? 'passed' : 'error';
  return [
    {
      id: 'run.outcome',
      title: 'the outcome of the run',
      milliseconds: 0,
      result,
      type: outcome,
      message: headline,
      details: [
        ...(report.unreachable === null ? [] : [report.unreachable.message]),
        ...(report.baseline?.problems ?? []).map((problem) => problem.message),
      ].join('\n'),
    },
    ...report.leftBehind.map((message, index) => ({
      id: `run.left-behind-${index + 1}`,
      title: 'what the run changed is put back',
      milliseconds: 0,
      result: exitCode === 0 ? ('skipped' as const) : ('error' as const),
      type: 'left-behind',
      message,
      details: '',
    })),
    ...suiteErrors.map((message, index) => ({
      id: `run.suite-error-${index + 1}`,
      title: 'no error of the suite',
      milliseconds: 0,
      result: 'error' as const,
      type: 'suite-error',
      message,
      details: '',
    })),
  ];
}

function totals(cases: readonly TestCase[]): Record<'tests' | 'failures' | 'errors', number> {
  return {
    tests: cases.length,
    failures: count(cases, 'failure'),
    errors: count(cases, 'error'),
  };
}

function count(cases: readonly TestCase[], wanted: Result): number {
  return cases.filter(({ result }) => result === wanted).length;
}

function timeOf(cases: readonly TestCase[]): string {
  return seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
