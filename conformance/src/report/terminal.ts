import { styleText } from 'node:util';

import type { HttpExchange } from '../http/exchange.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { clip, harmless } from './characters.ts';
import { compareExchanges } from './difference.ts';
import type { MarkedLine } from './difference.ts';
import type { CheckReport, Report, Reproduction, ViolationReport } from './model.ts';
import { byRequirement, bySide, tally } from './order.ts';
import {
  VERDICT_WORDS,
  identityText,
  knownText,
  ownMessage,
  redsText,
  requestText,
  responseText,
  timesText,
  trafficText,
} from './wording.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
type Paint = (style: Style, text: string) => string;

const MAX_EXCHANGE_CHARACTERS = 800;
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
 * Returns the report for a terminal: per side all failures and the number of passes, then remedies, then the outcome.
 *
 * @example
 * ```ts
 * import { renderTerminal } from '@hookproof/conformance';
 * import type { Report } from '@hookproof/conformance';
 *
 * export function print(report: Report): void {
 *   console.log(renderTerminal(report, { color: process.stdout.isTTY }));
 * }
 * ```
 */
export function renderTerminal(report: Report, options: { readonly color?: boolean } = {}): string {
  const color = options.color ?? false;
  // The caller decides about color: `styleText` by default asks standard output and the environment.
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const sections = [
    heading(report, paint),
    ...(report.unreachable === null
      ? bySide(report.checks).map(({ side, checks }) => sideSection(side, checks, paint))
      : [harmless(report.unreachable.message)]),
    report.unreachable === null ? remedies(report, paint) : '',
    baselineSection(report, paint),
    suiteErrors(report, paint),
    leftBehind(report, paint),
    footer(report, paint),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function heading({ suite, target }: Report, paint: Paint): string {
  const { identity } = target;
  const addresses = [target.baseUrl, target.receiverUrl].filter((url) => url !== null);
  return [
    `${paint('bold', `${suite.name} ${suite.version}`)}  ${harmless(addresses.join('  '))}`,
    ...(identity === null ? [] : [paint('dim', harmless(`tenant ${identityText(identity)}`))]),
  ].join('\n');
}

function sideSection(side: string, checks: readonly CheckReport[], paint: Paint): string {
  const counts = tally(checks).map(({ verdict, count }) =>
    paint(COLORS[verdict], `${count} ${VERDICT_WORDS[verdict]}`),
  );
  const reds = byRequirement(
    checks.filter(({ verdict, violation }) => violation !== undefined && verdict !== 'known'),
  );
  const count = reds.length === 0 ? [] : [`  ${redsText(reds)}`];
  return [
    [`${paint('bold', side)}  ${counts.join(' · ')}`, ...count].join('\n'),
    ...reds.flat().map((check) => failure(check, paint)),
    ...checks
      .filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'harness-error')
      .map((check) => unsettled(check, paint)),
  ].join('\n\n');
}

function failure(check: CheckReport, paint: Paint): string {
  const { violation } = check;
  if (violation === undefined) return '';
  const own = ownMessage(check);
  const lines: [label: string, text: string][] = [
    ['title', check.title],
    ...(own === null ? [] : [['message', own] as [string, string]]),
    ['requirement', `${check.requirement} (${check.level}; ${check.clause})`],
    ['rule', check.rule],
    ['expected', violation.expected],
    ['actual', violation.actual],
    ['likely cause', violation.diagnosis.cause],
    ['fix', violation.diagnosis.fix],
    ...(violation.exchange === null ? [] : exchangeLines(violation.exchange)),
    ...differenceLines(violation),
    ...reproduceLines(violation.reproduce),
    ['rerun', violation.command],
    ['confirmed', timesText(violation.confirmed)],
  ];
  return [
    `  ${paint(COLORS[check.verdict], `✗ ${VERDICT_WORDS[check.verdict]}`)}  ${paint('bold', check.id)}`,
    ...lines.map(([label, text]) => field(label, text, paint)),
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

function reproduceLines({ commands, note }: Reproduction): [string, string][] {
  return [note ?? '', ...commands].filter((line) => line !== '').map((line) => ['reproduce', line]);
}

function exchangeLines(exchange: HttpExchange): [string, string][] {
  return [
    [`${exchange.sentBy} sent`, clip(requestText(exchange), MAX_EXCHANGE_CHARACTERS)],
    ['response', clip(responseText(exchange), MAX_EXCHANGE_CHARACTERS)],
  ];
}

function unsettled(check: CheckReport, paint: Paint): string {
  return [
    `  ${paint(COLORS[check.verdict], `? ${VERDICT_WORDS[check.verdict]}`)}  ${paint('bold', check.id)}`,
    field('title', check.title, paint),
    field('reason', check.message, paint),
  ].join('\n');
}

function field(label: string, text: string, paint: Paint): string {
  const [first = '', ...rest] = harmless(text).split('\n');
  const indent = ' '.repeat(18);
  return [
    `    ${paint('dim', label.padEnd(14))}${first}`,
    ...rest.map((line) => `${indent}${line}`.trimEnd()),
  ].join('\n');
}

/** The checks that could not run, by the flag or line that they need. */
function remedies({ checks }: Report, paint: Paint): string {
  const wanted = [...new Set(checks.flatMap(({ remedies: own = [] }) => own))];
  if (wanted.length === 0) return '';
  return [
    paint('bold', 'To run more checks, add'),
    ...wanted.map((remedy) => {
      const group = checks.filter(({ remedies: own = [] }) => own.includes(remedy));
      const alone = group.find(({ remedies: own = [] }) => own.length === 1);
      const why = harmless(`${alone === undefined ? '' : `${alone.message}: `}${idsOf(group)}`);
      return `  ${paint('yellow', harmless(remedy))}\n    ${paint('dim', why)}`;
    }),
  ].join('\n');
}

function idsOf(group: readonly CheckReport[]): string {
  const shown = group.slice(0, 4).map(({ id }) => id);
  const more = group.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

/** The failures that a baseline accepts, and its lines that must change. */
function baselineSection({ checks, baseline }: Report, paint: Paint): string {
  if (baseline === null) return '';
  const known = checks.filter(({ verdict }) => verdict === 'known').map(knownText);
  return [
    ...(known.length === 0 ? [] : [paint('bold', 'Known failures')]),
    ...known.map((text) => `  ${paint('yellow', harmless(text))}`),
    ...(baseline.problems.length === 0 ? [] : [paint('bold', 'Outdated lines of the baseline')]),
    ...baseline.problems.map(({ message }) => `  ${paint('red', harmless(message))}`),
  ].join('\n');
}

function suiteErrors(report: Report, paint: Paint): string {
  return report.suiteErrors
    .map((text) => paint('red', harmless(`error of the suite: ${text}`)))
    .join('\n');
}

function leftBehind(report: Report, paint: Paint): string {
  if (report.leftBehind.length === 0) return '';
  const lines = report.leftBehind.map((text) => `  ${paint('yellow', harmless(text))}`);
  return [paint('bold', 'Changed by this run and not put back'), ...lines].join('\n');
}

function footer(
  { wire, headline, exitCode, outcome, durationMilliseconds }: Report,
  paint: Paint,
): string {
  const traffic = `${trafficText(wire)}, ${(durationMilliseconds / 1000).toFixed(1)} s`;
  const tone = outcome === 'conformant' ? 'green' : exitCode === 1 ? 'red' : 'yellow';
  return `${paint('dim', traffic)}\n${paint(tone, paint('bold', harmless(headline)))}  ${paint('dim', `exit ${exitCode}`)}`;
}
