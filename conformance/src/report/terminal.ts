import { styleText } from 'node:util';

import type { HttpExchange } from '../http/exchange.ts';
import { byWeight } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { clip, harmless } from './characters.ts';
import { compareExchanges } from './difference.ts';
import type { MarkedLine } from './difference.ts';
import type { CheckReport, Report, ViolationReport } from './model.ts';
import { byRequirement, bySide, tally } from './order.ts';
import { remediesOf } from './remedies.ts';
import {
  VERDICT_WORDS,
  identityText,
  knownText,
  ownMessage,
  redsText,
  requestText,
  responseText,
  targetText,
  timesText,
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
}

/** Where sections are written. */
interface Page {
  readonly paint: Paint;
  readonly columns: number;
}

const MAX_EXCHANGE_CHARACTERS = 800;
const FIELD_INDENT = 18;
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
 * then per side the counts, what is inconclusive and all failures, and at the end the outcome.
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
  const { color = false, columns = Infinity } = options;
  // The caller decides about color: `styleText` by default asks standard output and the environment.
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const page = { paint, columns };
  const sections = [
    heading(report, page),
    ...(report.unreachable === null
      ? [
          remedies(report.checks, page),
          ...bySide(report.checks).map(({ side, checks }) => sideSection(side, checks, page)),
        ]
      : [indented(0, harmless(report.unreachable.message), page)]),
    baselineSection(report, page),
    suiteErrors(report, page),
    leftBehind(report, page),
    footer(report, page),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function heading({ suite, target }: Report, { paint, columns }: Page): string {
  const { identity } = target;
  const name = `${suite.name} ${suite.version}`;
  const indent = name.length + 2;
  const judged = wrap(harmless(targetText(target)), columns - indent);
  return [
    `${paint('bold', name)}  ${judged.join(`\n${' '.repeat(indent)}`)}`,
    ...(identity === null ? [] : [paint('dim', harmless(`tenant ${identityText(identity)}`))]),
  ].join('\n');
}

function sideSection(side: string, checks: readonly CheckReport[], page: Page): string {
  const { paint } = page;
  const counts = tally(checks).map(({ verdict, count }) =>
    paint(COLORS[verdict], `${count} ${VERDICT_WORDS[verdict]}`),
  );
  const reds = byRequirement(
    checks
      .filter(({ verdict, violation }) => violation !== undefined && verdict !== 'known')
      .toSorted((one, other) => byWeight(other, one)),
  );
  const count = reds.length === 0 ? [] : [`  ${redsText(reds)}`];
  const start = `${paint('bold', side)}  ${counts.join(' · ')}`;
  return [
    [indented(side.length + 2, start, page), ...count].join('\n'),
    ...checks
      .filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'harness-error')
      .map((check) => unsettled(check, page)),
    ...reds.flat().map((check) => failure(check, page)),
  ].join('\n\n');
}

function failure(check: CheckReport, page: Page): string {
  const { violation } = check;
  if (violation === undefined) return '';
  const { paint } = page;
  const own = ownMessage(check);
  const sentences: [label: string, text: string][] = [
    ['title', check.title],
    ...(own === null ? [] : [['message', own] as [string, string]]),
    ['requirement', `${check.requirement} (${check.level}; ${check.clause})`],
    ['rule', check.rule],
    ['expected', violation.expected],
    ['actual', violation.actual],
    ['likely cause', violation.diagnosis.cause],
    ['fix', violation.diagnosis.fix],
  ];
  const { note, commands } = violation.reproduce;
  // To be copied: a line break of the terminal's own is not in what a reader copies.
  const verbatim: [label: string, text: string][] = [
    ...(violation.exchange === null ? [] : exchangeLines(violation.exchange)),
    ...differenceLines(violation),
  ];
  return [
    `  ${paint(COLORS[check.verdict], `✗ ${VERDICT_WORDS[check.verdict]}`)}  ${paint('bold', check.id)}`,
    ...sentences.map(([label, text]) => sentence(label, text, page)),
    ...verbatim.map(([label, text]) => field(label, text.split('\n'), page)),
    ...(note === null ? [] : [sentence('reproduce', note, page)]),
    ...commands.map((command) => field('reproduce', [command], page)),
    field('rerun', [violation.command], page),
    field('confirmed', [timesText(violation.confirmed)], page),
  ].join('\n');
}

/** The lines of a control that passed, and of the request that failed, where they differ. */
function differenceLines({ control, exchange }: ViolationReport): [string, string][] {
  if (control === null || exchange === null) return [];
  const { control: passed, probe } = compareExchanges(control, exchange);
  const lines = [...signed('-', passed), ...signed('+', probe)];
  return [
    ['difference', clip(['- passed', '+ failed', ...lines].join('\n'), MAX_EXCHANGE_CHARACTERS)],
  ];
}

function signed(sign: string, lines: readonly MarkedLine[]): string[] {
  return lines.filter(({ isDifferent }) => isDifferent).map(({ text }) => `${sign} ${text}`);
}

function exchangeLines(exchange: HttpExchange): [string, string][] {
  return [
    [`${exchange.sentBy} sent`, clip(requestText(exchange), MAX_EXCHANGE_CHARACTERS)],
    ['response', clip(responseText(exchange), MAX_EXCHANGE_CHARACTERS)],
  ];
}

function unsettled(check: CheckReport, page: Page): string {
  const { paint } = page;
  return [
    `  ${paint(COLORS[check.verdict], `? ${VERDICT_WORDS[check.verdict]}`)}  ${paint('bold', check.id)}`,
    sentence('title', check.title, page),
    sentence('reason', check.message, page),
  ].join('\n');
}

function sentence(label: string, text: string, page: Page): string {
  return field(label, wrap(harmless(text), page.columns - FIELD_INDENT), page);
}

function field(label: string, lines: readonly string[], { paint }: Page): string {
  const [first = '', ...rest] = lines.map(harmless);
  const indent = ' '.repeat(FIELD_INDENT);
  return [
    `    ${paint('dim', label.padEnd(FIELD_INDENT - 4))}${first}`,
    ...rest.map((line) => `${indent}${line}`.trimEnd()),
  ].join('\n');
}

/** A text over several lines, all but the first of them indented. */
function indented(indent: number, text: string, { columns }: Page): string {
  return wrap(text, columns - indent).join(`\n${' '.repeat(indent)}`);
}

/** What the checks need that could not run. */
function remedies(checks: readonly CheckReport[], page: Page): string {
  const { paint } = page;
  const wanted = remediesOf(checks);
  if (wanted.length === 0) return '';
  const lines = wanted.map(({ add, lets, details }) => {
    const start = `${paint('yellow', harmless(add))} ${harmless(`(${lets})`)}`;
    const more = details.map((text) => `\n    ${paint('dim', indented(4, harmless(text), page))}`);
    return `  ${indented(2, start, page)}${more.join('')}`;
  });
  return [paint('bold', 'To run more checks, add'), ...lines].join('\n');
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
