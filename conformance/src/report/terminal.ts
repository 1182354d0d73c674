import { styleText } from 'node:util';

import type { HttpExchange } from '../http/exchange.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { CheckReport, Report } from './model.ts';
import { bySide, tally } from './order.ts';
import {
  VERDICT_WORDS,
  identityText,
  ownMessage,
  requestText,
  responseText,
  trafficText,
} from './wording.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
type Paint = (style: Style, text: string) => string;

const MAX_EXCHANGE_CHARACTERS = 800;
const COLORS: Readonly<Record<Verdict, Style>> = {
  pass: 'green',
  fail: 'red',
  advice: 'yellow',
  info: 'blue',
  'not-applicable': 'dim',
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
    suiteErrors(report, paint),
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
  return [
    `${paint('bold', side)}  ${counts.join(' · ')}`,
    ...checks
      .filter(({ violation }) => violation !== undefined)
      .map((check) => failure(check, paint)),
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
    ...(violation.exchange === null ? [] : exchangeLines(violation.exchange)),
    ...(violation.curl === null ? [] : [['curl', violation.curl] as [string, string]]),
    ['rerun', violation.command],
    ['confirmed', `${violation.confirmed} times`],
  ];
  return [
    `  ${paint(COLORS[check.verdict], `✗ ${VERDICT_WORDS[check.verdict]}`)}  ${paint('bold', check.id)}`,
    ...lines.map(([label, text]) => field(label, text, paint)),
  ].join('\n');
}

function exchangeLines(exchange: HttpExchange): [string, string][] {
  return [
    [`${exchange.sentBy} sent`, clip(requestText(exchange))],
    ['response', clip(responseText(exchange))],
  ];
}

function clip(text: string): string {
  if (text.length <= MAX_EXCHANGE_CHARACTERS) return text;
  return `${text.slice(0, MAX_EXCHANGE_CHARACTERS)}… (more in the JSON and HTML reports)`;
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
  const open = checks.filter(({ remedy }) => remedy !== undefined);
  if (open.length === 0) return '';
  const wanted = [...new Set(open.map(({ remedy }) => remedy))];
  return [
    paint('bold', 'To run more checks, add'),
    ...wanted.map((remedy) => {
      const group = open.filter((check) => check.remedy === remedy);
      const why = harmless(`${group[0]?.message}: ${idsOf(group)}`);
      return `  ${paint('yellow', harmless(remedy ?? ''))}\n    ${paint('dim', why)}`;
    }),
  ].join('\n');
}

function idsOf(group: readonly CheckReport[]): string {
  const shown = group.slice(0, 4).map(({ id }) => id);
  const more = group.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

function suiteErrors(report: Report, paint: Paint): string {
  return report.suiteErrors
    .map((text) => paint('red', harmless(`error of the suite: ${text}`)))
    .join('\n');
}

function footer(
  { wire, headline, exitCode, outcome, durationMilliseconds }: Report,
  paint: Paint,
): string {
  const traffic = `${trafficText(wire)}, ${(durationMilliseconds / 1000).toFixed(1)} s`;
  const tone = outcome === 'conformant' ? 'green' : outcome === 'violated' ? 'red' : 'yellow';
  return `${paint('dim', traffic)}\n${paint(tone, paint('bold', harmless(headline)))}  ${paint('dim', `exit ${exitCode}`)}`;
}

/** Escape sequences of a target could move the cursor or change colors: they are shown as text. */
function harmless(text: string): string {
  return text
    .replaceAll('\t', '  ')
    .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, (character) => `\\u${hex(character)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
