import { harmless } from '../characters.ts';
import type { CheckReport, Report } from '../model.ts';
import { VERDICTS } from '../../verdict/verdict.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { bySide, tally } from '../order.ts';
import { remediesOf } from '../remedies.ts';
import type { SideGroup } from '../order.ts';
import {
  effectText,
  VERDICT_WORDS,
  counted,
  identityText,
  knownText,
  targetText,
  trafficText,
} from '../wording.ts';
import { codeCell, codeSpan, plain } from './escape.ts';
import { failureItem } from './failure.ts';

/** GitHub drops a summary above 1 MiB; this leaves room for the other steps of a job. */
const MAX_FAILURE_CHARACTERS = 650_000;

/**
 * Returns the report as Markdown with tables, for a summary of a CI or a comment: the outcome, the number of verdicts of
 * each side, the failures by requirement, and what is missing. It has at most about 700,000 characters; with
 * more failures it says how many it leaves out.
 *
 * @example
 * ```ts
 * import { appendFile } from 'node:fs/promises';
 * import { renderMarkdown, runConformance } from '@hookproof/conformance';
 *
 * export async function addSummary(baseUrl: string, file: string): Promise<void> {
 *   await appendFile(file, renderMarkdown(await runConformance({ baseUrl })));
 * }
 * ```
 */
export function renderMarkdown(report: Report): string {
  const { checks } = report;
  const sections = [
    `## Hookproof: ${plain(report.headline)}`,
    facts(report),
    report.unreachable === null ? verdictTable(checks) : codeSpan(report.unreachable.message),
    violations(
      'Violated',
      checks.filter(({ verdict }) => verdict === 'fail'),
      MAX_FAILURE_CHARACTERS,
    ),
    violations(
      'Not followed',
      checks.filter(({ verdict }) => isAdvice(verdict)),
      MAX_FAILURE_CHARACTERS / 4,
    ),
    list(
      'Known failures',
      checks.filter(({ verdict }) => verdict === 'known').map((check) => plain(knownText(check))),
    ),
    list(
      'Outdated lines of the baseline',
      (report.baseline?.problems ?? []).map(({ message }) => plain(message)),
    ),
    unsettled(checks),
    report.unreachable === null ? remedies(checks) : '',
    list('Errors of the suite', report.suiteErrors.map(codeSpan)),
    list('Changed by this run and not put back', report.leftBehind.map(codeSpan)),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function isAdvice(verdict: string): boolean {
  return verdict === 'advice' || verdict === 'info';
}

function facts(report: Report): string {
  const { target, wire, durationMilliseconds, exitCode, suite } = report;
  const seconds = (durationMilliseconds / 1000).toFixed(1);
  const effects = effectText(target);
  return [
    codeSpan(targetText(target)),
    ...(effects === null ? [] : [effects]),
    ...(target.identity === null ? [] : [`tenant ${codeSpan(identityText(target.identity))}`]),
    plain(trafficText(wire)),
    `${seconds} s`,
    `exit code ${exitCode}`,
    plain(`${suite.name} ${suite.version}`),
  ].join(' · ');
}

/** A row for each side, a column for each verdict that occurs. */
function verdictTable(checks: readonly CheckReport[]): string {
  const verdicts = VERDICTS.filter((each) => checks.some(({ verdict }) => verdict === each));
  const rows = bySide(checks).map((group) => verdictRow(group, verdicts));
  if (rows.length === 0) return '';
  return table(['side', ...verdicts.map((verdict) => VERDICT_WORDS[verdict])], rows);
}

function verdictRow({ side, checks }: SideGroup, verdicts: readonly Verdict[]): string[] {
  const counts = new Map(tally(checks).map(({ verdict, count }) => [verdict, count]));
  return [side, ...verdicts.map((verdict) => String(counts.get(verdict) ?? 0))];
}

function violations(title: string, checks: readonly CheckReport[], maxCharacters: number): string {
  if (checks.length === 0) return '';
  const requirements = [...new Set(checks.map(({ requirement }) => requirement))];
  const summary = `${counted(requirements.length, 'requirement', 'requirements')}, ${counted(checks.length, 'check', 'checks')}`;
  const parts: string[] = [];
  let room = maxCharacters;
  let shown = 0;
  for (const requirement of requirements) {
    const own = checks.filter((check) => check.requirement === requirement);
    const part = requirementPart(requirement, own);
    if (part.length > room) break;
    room -= part.length;
    shown += own.length;
    parts.push(part);
  }
  const left = checks.length - shown;
  const more = left === 0 ? [] : [`${counted(left, 'check', 'checks')} more in the JSON report.`];
  return [`### ${title}: ${summary}`, ...parts, ...more].join('\n\n');
}

function requirementPart(requirement: string, checks: readonly CheckReport[]): string {
  const [first] = checks;
  const rule =
    first === undefined ? '' : ` ${plain(first.rule)} (${first.level}; ${plain(first.clause)})`;
  return [`**${plain(requirement)}**${rule}`, ...checks.map(failureItem)].join('\n\n');
}

function unsettled(checks: readonly CheckReport[]): string {
  const rows = checks
    .filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'harness-error')
    .map(({ id, verdict, message }) => [codeCell(id), VERDICT_WORDS[verdict], codeCell(message)]);
  if (rows.length === 0) return '';
  return `### Without a result\n\n${table(['check', 'verdict', 'reason'], rows)}`;
}

/** What lets more checks run. */
function remedies(checks: readonly CheckReport[]): string {
  const lines = remediesOf(checks).map(({ add, checks: own, details }) => {
    const count = counted(own.length, 'check', 'checks');
    const shown = details.map((detail) => `  - ${plain(detail)}`);
    return [`${codeSpan(harmless(add))} (${count})`, ...shown].join('\n');
  });
  return list('To run more checks', lines);
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return [`### ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
