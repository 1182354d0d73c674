import { junitDocument, suitesOf } from '../report/junit.ts';
import type { TestCase, TestSuite } from '../report/junit.ts';
import { sarifLog, sarifRun } from '../report/sarif/log.ts';
import type { TargetResult, TargetsReport } from './model.ts';

/** The suites of every target, with its name before theirs. A target without a report is an error. */
export function targetsJunit(report: TargetsReport): string {
  const suites = report.targets.flatMap((target) => suitesOfTarget(target, report.startedAt));
  return junitDocument(suites, report.durationMilliseconds);
}

function suitesOfTarget(target: TargetResult, startedAt: string): TestSuite[] {
  const { name, report } = target;
  if (report === null) return [suiteWithoutReport(target, startedAt)];
  return suitesOf(report).map((suite) => named(name, suite));
}

/** A test keeps its name over the runs of one target, and differs from that of another target. */
function named(target: string, suite: TestSuite): TestSuite {
  const cases = suite.cases.map((each) => caseNamed(target, each));
  return { ...suite, name: `${target}: ${suite.name}`, cases };
}

function caseNamed(target: string, each: TestCase): TestCase {
  return { ...each, id: `${target}.${each.id}` };
}

function suiteWithoutReport(
  { name, status, message, durationMilliseconds }: TargetResult,
  startedAt: string,
): TestSuite {
  const outcome = {
    id: `${name}.run.outcome`,
    seconds: durationMilliseconds / 1000,
    result: 'error' as const,
    type: status,
    message,
    details: '',
  };
  return { name: `${name}: run`, cases: [outcome], properties: { target: name }, startedAt };
}

/** A run for each target, with its name as the category. */
export function targetsSarif({ targets }: TargetsReport): string {
  return sarifLog(
    targets.map((target) =>
      target.report === null ? runWithoutReport(target) : sarifRun(target.report, target.name),
    ),
  );
}

function runWithoutReport({ name, message, exitCode }: TargetResult): object {
  const notification = { level: 'error', message: { text: message } };
  return {
    tool: { driver: { name: 'Hookproof' } },
    automationDetails: { id: `hookproof/${name}/` },
    invocations: [
      { executionSuccessful: false, exitCode, toolExecutionNotifications: [notification] },
    ],
    results: [],
  };
}
