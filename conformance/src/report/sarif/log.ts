import type { CheckReport, Report } from '../model.ts';
import { notificationsOf } from './notifications.ts';
import { resultOf } from './result.ts';
import { rulesOf } from './rules.ts';
import { TARGET } from './result.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * Returns the report as a SARIF 2.1.0 log with one run. Its results are the violations: `fail` is an error, `advice` a
 * warning and `info` a note. Checks without a result and errors of the suite are notifications. A rule is a requirement;
 * a location is the path of the request below the URL of the target.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderSarif, runConformance } from '@hookproof/conformance';
 *
 * export async function writeReport(baseUrl: string): Promise<void> {
 *   await writeFile('hookproof.sarif', renderSarif(await runConformance({ baseUrl })));
 * }
 * ```
 */
export function renderSarif(report: Report): string {
  return sarifLog([sarifRun(report, hostOf(rootOf(report)))]);
}

/** A log with any number of runs. */
export function sarifLog(runs: readonly object[]): string {
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs }, null, 2)}\n`;
}

/** One run. A page with the results of several targets keeps them apart by the category. */
export function sarifRun(report: Report, category: string): object {
  const { suite, checks } = report;
  const violated = checks.filter(({ violation }) => violation !== undefined);
  const rules = rulesOf(violated);
  const root = rootOf(report);
  return {
    tool: {
      driver: {
        name: 'Hookproof',
        fullName: `${suite.name} ${suite.version}`,
        semanticVersion: suite.version,
        rules,
      },
    },
    automationDetails: { id: `hookproof/${category}/` },
    invocations: [invocationOf(report)],
    originalUriBaseIds: { [TARGET]: { uri: root } },
    columnKind: 'utf16CodeUnits',
    results: violated.map((check) => resultOf(check, { root, ruleIndex: indexIn(rules, check) })),
  };
}

function indexIn(rules: readonly { readonly id: string }[], { requirement }: CheckReport): number {
  return rules.findIndex(({ id }) => id === requirement);
}

/** `executionSuccessful` is about the suite: a run that finds violations is successful. */
function invocationOf(report: Report): object {
  const { startedAt, durationMilliseconds, exitCode, headline } = report;
  return {
    executionSuccessful: exitCode !== 4 && exitCode !== 5,
    exitCode,
    exitCodeDescription: headline,
    startTimeUtc: startedAt,
    endTimeUtc: new Date(Date.parse(startedAt) + durationMilliseconds).toISOString(),
    ...notificationsOf(report),
  };
}

/** The URL that the locations are relative to; a base needs a slash at its end. */
function rootOf({ target }: Report): string {
  const url = target.baseUrl ?? target.receiverUrl ?? target.controlUrl ?? 'http://localhost';
  return new URL('/', url).href;
}

function hostOf(root: string): string {
  return new URL(root).host;
}
