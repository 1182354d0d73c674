import { styleText } from 'node:util';

import { grouped } from '../grouped.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { harmless, onOneLine } from './characters.ts';
import { evidenceOf } from './evidence.ts';
import type { CheckReport, Report } from './model.ts';
import { byRequirement, bySide, tally } from './order.ts';
import { remediesOf } from './remedies.ts';
import type { Lack } from './remedies.ts';
import {
  effectText,
  VERDICT_WORDS,
  actualText,
  counted,
  identityText,
  knownText,
  redsText,
  targetText,
  trafficText,
} from './wording.ts';
import { wrap } from './wrap.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
type Paint = (style: Style, text: string) => string;

/** How a terminal shows a report. */
export interface TerminalOptions {
  /** Default: no. */
  readonly color?: boolean;
  /** The width in which sentences are broken between words; commands and exchanges are not. Default: no limit. */
  readonly columns?: number;
  /** Adds rule, cause, exchange and reproduction to each failure. Default: no. */
  readonly verbose?: boolean;
  /** The file of `fixturesFile` that the same run writes. Default: none. */
  readonly fixturesFile?: string;
}

/** Where sections are written. */
interface Page {
  readonly paint: Paint;
  readonly columns: number;
  readonly verbose: boolean;
}

/** A longer text of a failure is cut, unless the report is verbose. */
const MAX_SHORT_CHARACTERS = 240;
/** Of more checks that could run, only the number is shown. */
const MAX_IDS = 2;
/** Of more checks that fail for one requirement, only the number is shown. */
const MAX_OTHERS = 12;
const SHORT_INDENT = 14;
const FIELD_INDENT = 18;
/** To be copied: a line break of the terminal's own is not in what a reader copies. */
const COMMANDS: ReadonlySet<string> = new Set(['reproduce', 'rerun']);
const COLORS: Readonly<Record<Verdict, Style>> = {
  pass: 'green',
  fail: 'red',
  known: 'yellow',
  advice: 'yellow',
  info: 'blue',
  'not-applicable': 'dim',
  locked: 'yellow',
  'could-not-run': 'yellow',
  inconclusive: 'yellow',
  'harness-error': 'red',
};

/**
 * Returns the report for a terminal. What matters most comes last, where a reader looks: first what more checks need,
 * then per side the counts, what is inconclusive and all violations, failures before advice, and at the end the outcome.
 *
 * @example
 * ```ts
 * import { renderTerminal } from '@hookproof/conformance';
 * import type { Report } from '@hookproof/conformance';
 *
 * export function print(report: Report): void {
 *   const { isTTY, columns } = process.stdout;
 *   console.log(renderTerminal(report, isTTY ? { color: true, columns } : {}));
 * }
 * ```
 */
export function renderTerminal(report: Report, options: TerminalOptions = {}): string {
  const { color = false, columns = Infinity, verbose = false, fixturesFile } = options;
  // The caller decides about color: `styleText` by default asks standard output and the environment.
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const page = { paint, columns, verbose };
  const sections = [
    heading(report, page),
    ...(report.unreachable === null
      ? [remedies(remediesOf(report.checks, fixturesFile), page), sideSections(report.checks, page)]
      : [indented(0, harmless(report.unreachable.message), page)]),
    baselineSection(report, page),
    suiteErrors(report, page),
    leftBehind(report, page),
    verboseHint(report, page),
    footer(report, page),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function heading({ suite, target }: Report, { paint, columns }: Page): string {
  const { identity } = target;
  const effects = effectText(target);
  const name = `${suite.name} ${suite.version}`;
  const indent = name.length + 2;
  const judged = wrap(harmless(targetText(target)), columns - indent);
  return [
    `${paint('bold', name)}  ${judged.join(`\n${' '.repeat(indent)}`)}`,
    ...(identity === null ? [] : [paint('dim', harmless(`tenant ${identityText(identity)}`))]),
    ...(effects === null ? [] : [paint('dim', effects)]),
  ].join('\n');
}

/** Sides with nothing to tell but their counts have a line each. */
function sideSections(all: readonly CheckReport[], page: Page): string {
  const sections = bySide(all).map(({ side, checks }) => sideSection(side, checks, page));
  return sections.join(sections.some((section) => section.includes('\n')) ? '\n\n' : '\n');
}

function sideSection(side: string, checks: readonly CheckReport[], page: Page): string {
  const { paint } = page;
  const counts = tally(checks).map(({ verdict, count }) =>
    paint(COLORS[verdict], `${count} ${VERDICT_WORDS[verdict]}`),
  );
  const reds = byRequirement(
    checks.filter(({ verdict, violation }) => violation !== undefined && verdict !== 'known'),
  );
  const count = reds.length === 0 ? [] : [`  ${redsText(reds)}`];
  const start = `${paint('bold', side)}  ${counts.join(' · ')}`;
  return [
    [indented(side.length + 2, start, page), ...count].join('\n'),
    ...unsettled(
      checks.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'harness-error'),
      page,
    ),
    ...failures(reds.flat(), page),
  ].join('\n\n');
}

/** Each failure in full, or a block for each requirement: the first of its checks, and the names of the others. */
function failures(reds: readonly CheckReport[], page: Page): string[] {
  if (page.verbose) return reds.map((check) => verboseFailure(check, page));
  const groups = grouped(reds, ({ verdict, requirement }) => `${verdict} ${requirement}`);
  return [...groups.values()].map((group) => shortFailure(group, page));
}

function verboseFailure(check: CheckReport, page: Page): string {
  const fields = evidenceOf(check).map(({ label, text }) =>
    COMMANDS.has(label)
      ? field(label, text.split('\n'), FIELD_INDENT, page)
      : sentence(label, text, FIELD_INDENT, page),
  );
  return [failureStart(check, check.id, page), ...fields].join('\n');
}

/** What a reader needs first: what was expected, what came, what to do, and how to see it again. */
function shortFailure(group: readonly CheckReport[], page: Page): string {
  const [first] = group;
  if (first?.violation === undefined) return '';
  const { expected, diagnosis, command } = first.violation;
  const lines: [label: string, text: string][] = [
    ['expected', expected],
    ['actual', actualText(first)],
    diagnosis.fix === null ? ['rule', first.rule] : ['fix', diagnosis.fix],
    ...(group.length === 1 ? [] : [['also', othersText(group)] as [string, string]]),
  ];
  return [
    failureStart(first, first.title, page),
    ...lines.map(([label, text]) => sentence(label, cut(onOneLine(text)), SHORT_INDENT, page)),
    field('rerun', [command], SHORT_INDENT, page),
  ].join('\n');
}

/** The checks after the first one, by the part of their ids in which the group differs. */
function othersText(group: readonly CheckReport[]): string {
  const parts = group.map(({ id }) => id.split('.'));
  const [first = []] = parts;
  const different = first.findIndex((part, index) => parts.some((other) => other[index] !== part));
  const names = parts.slice(1).map((one) => one.slice(Math.max(0, different)).join('.'));
  const shown = names.slice(0, MAX_OTHERS).join(', ');
  const rest = names.length - MAX_OTHERS;
  return `${names.length} more: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function failureStart({ verdict }: CheckReport, text: string, page: Page): string {
  const sign = verdict === 'fail' ? '✗' : '!';
  const start = `  ${page.paint(COLORS[verdict], `${sign} ${VERDICT_WORDS[verdict]}`)}  `;
  return indented(4, `${start}${page.paint('bold', harmless(text))}`, page);
}

function cut(text: string): string {
  return text.length <= MAX_SHORT_CHARACTERS ? text : `${text.slice(0, MAX_SHORT_CHARACTERS)}…`;
}

/** Checks without a result, once for each reason. */
function unsettled(checks: readonly CheckReport[], page: Page): string[] {
  const { paint } = page;
  return [...grouped(checks, ({ message }) => message)].map(([reason, own]) =>
    [
      ...own.map(({ id, verdict, title }) => {
        const start = paint(COLORS[verdict], `? ${VERDICT_WORDS[verdict]}`);
        return indented(4, `  ${start}  ${paint('bold', id)}  ${harmless(title)}`, page);
      }),
      sentence('reason', reason, SHORT_INDENT, page),
    ].join('\n'),
  );
}

/** Where the rest of each failure is. */
function verboseHint({ checks }: Report, page: Page): string {
  const { paint, verbose } = page;
  if (verbose || !checks.some(({ violation }) => violation !== undefined)) return '';
  return paint(
    'dim',
    indented(
      0,
      'Rule, cause, requests and how to reproduce each: --verbose, or --report html=report.html',
      page,
    ),
  );
}

function sentence(label: string, text: string, indent: number, page: Page): string {
  return field(label, wrap(harmless(text), page.columns - indent), indent, page);
}

function field(label: string, lines: readonly string[], indent: number, { paint }: Page): string {
  const [first = '', ...rest] = lines.map(harmless);
  return [
    `    ${paint('dim', label.padEnd(indent - 4))}${first}`,
    ...rest.map((line) => `${' '.repeat(indent)}${line}`.trimEnd()),
  ].join('\n');
}

/** A text over several lines, all but the first of them indented. */
function indented(indent: number, text: string, { columns }: Page): string {
  return wrap(text, columns - indent).join(`\n${' '.repeat(indent)}`);
}

/** What the checks need that could not run. */
function remedies(wanted: readonly Lack[], page: Page): string {
  const { paint } = page;
  if (wanted.length === 0) return '';
  const lines = wanted.map((remedy) => {
    const { add, details } = remedy;
    const start = `${paint('yellow', harmless(add))} ${harmless(`(${letsRun(remedy)})`)}`;
    const more = details.map((text) => `\n    ${paint('dim', indented(4, harmless(text), page))}`);
    return `  ${indented(2, start, page)}${more.join('')}`;
  });
  return [paint('bold', 'To run more checks'), ...lines].join('\n');
}

/** The checks that a remedy lets run, as a number or as ids. */
function letsRun({ checks }: Lack): string {
  return checks.length > MAX_IDS
    ? counted(checks.length, 'check', 'checks')
    : checks.map(({ id }) => id).join(', ');
}

/** The failures that a baseline accepts, and its lines that must change. */
function baselineSection({ checks, baseline }: Report, page: Page): string {
  if (baseline === null) return '';
  const { paint } = page;
  const known = checks.filter(({ verdict }) => verdict === 'known').map(knownText);
  return [
    ...(known.length === 0 ? [] : [paint('bold', 'Known failures')]),
    ...known.map((text) => item('yellow', text, page)),
    ...(baseline.problems.length === 0 ? [] : [paint('bold', 'Outdated lines of the baseline')]),
    ...baseline.problems.map(({ message }) => item('red', message, page)),
  ].join('\n');
}

function suiteErrors(report: Report, { paint }: Page): string {
  return report.suiteErrors
    .map((text) => paint('red', harmless(`error of the suite: ${text}`)))
    .join('\n');
}

function leftBehind(report: Report, page: Page): string {
  if (report.leftBehind.length === 0) return '';
  const lines = report.leftBehind.map((text) => item('yellow', text, page));
  return [page.paint('bold', 'Changed by this run and not put back'), ...lines].join('\n');
}

function item(style: Style, text: string, page: Page): string {
  return `  ${page.paint(style, indented(2, harmless(text), page))}`;
}

function footer(
  { wire, headline, exitCode, outcome, durationMilliseconds }: Report,
  page: Page,
): string {
  const { paint } = page;
  const traffic = `${trafficText(wire)}, ${(durationMilliseconds / 1000).toFixed(1)} s`;
  const tone = outcome === 'conformant' ? 'green' : exitCode === 1 ? 'red' : 'yellow';
  const code = `  exit ${exitCode}`;
  const room = { ...page, columns: page.columns - code.length };
  const end = paint(tone, paint('bold', indented(2, harmless(headline), room)));
  return `${paint('dim', traffic)}\n${end}${paint('dim', code)}`;
}
