import { onOneLine } from '../report/characters.ts';
import { codeCell, plain } from '../report/markdown/escape.ts';
import { MAX_FAILURE_CHARACTERS, markdownPage, table } from '../report/markdown/page.ts';
import { renderTerminal } from '../report/terminal.ts';
import type { TerminalOptions } from '../report/terminal.ts';
import type { TargetResult, TargetsReport } from './model.ts';

/** The overview, and the report of each target that has more to say than its line. */
export function targetsTerminal(report: TargetsReport, options: TerminalOptions): string {
  const { targets, headline, exitCode, durationMilliseconds } = report;
  const width = Math.max(...targets.map(({ name }) => name.length));
  const rows = targets.map(
    (target) =>
      `  ${target.name.padEnd(width)}  exit ${target.exitCode}  ${onOneLine(target.message)}`,
  );
  const details = targets
    .filter(({ exitCode: code }) => code !== 0)
    .flatMap(({ name, report: own }) =>
      own === null ? [] : [`── ${name} ──\n\n${renderTerminal(own, options)}`],
    );
  const seconds = (durationMilliseconds / 1000).toFixed(1);
  return [
    ...details,
    ['Targets', ...rows].join('\n'),
    `${headline}, ${seconds} s  exit ${exitCode}\n`,
  ].join('\n\n');
}

/** The overview as a table, then the page of each target. Their failures share the room of one page. */
export function targetsMarkdown(report: TargetsReport): string {
  const { targets, headline, exitCode } = report;
  const room = MAX_FAILURE_CHARACTERS / targets.length;
  const rows = targets.map(overviewRow);
  return [
    `## Hookproof: ${plain(headline)} (exit code ${exitCode})`,
    table(['target', 'exit code', 'requests', 'result'], rows),
    ...targets.flatMap(({ name, report: own }) =>
      own === null ? [] : [markdownPage(own, name, room)],
    ),
  ].join('\n\n');
}

function overviewRow({ name, exitCode, message, report }: TargetResult): string[] {
  const requests = report === null ? '' : String(report.wire.requests);
  return [codeCell(name), String(exitCode), requests, codeCell(message)];
}
