import type { CheckReport, Report } from './model.ts';
import { targetText } from './wording.ts';

/** GitHub shows this number of annotations of each kind in one step, and drops the rest. */
const MAX_SHOWN = 10;

/**
 * Returns the violations as workflow commands of GitHub Actions, one on a line: an error for each `fail` and a warning
 * for each `advice`, with the target. Of more than ten of a kind, the last one says how many there are.
 *
 * @example
 * ```ts
 * import { renderAnnotations } from '@hookproof/conformance';
 * import type { Report } from '@hookproof/conformance';
 *
 * export function annotate(report: Report): void {
 *   if (process.env['GITHUB_ACTIONS'] === 'true') console.log(renderAnnotations(report));
 * }
 * ```
 */
export function renderAnnotations({ checks, exitCode, headline, target }: Report): string {
  const title = `Hookproof: ${targetText(target)}`;
  const fails = checks.filter(({ verdict }) => verdict === 'fail');
  const advice = checks.filter(({ verdict }) => verdict === 'advice');
  const other =
    exitCode === 0 || fails.length > 0 ? [] : [workflowCommand('error', title, headline)];
  return [
    ...other,
    ...annotations('error', fails, title),
    ...annotations('warning', advice, title),
  ].join('\n');
}

type Kind = 'error' | 'warning';

function annotations(kind: Kind, checks: readonly CheckReport[], title: string): string[] {
  const room = checks.length > MAX_SHOWN ? MAX_SHOWN - 1 : MAX_SHOWN;
  const left = checks.length - room;
  return [
    ...checks.slice(0, room).map((check) => annotation(kind, check, title)),
    ...(left > 0
      ? [workflowCommand(kind, title, `${left} more: see the report of this run.`)]
      : []),
  ];
}

function annotation(
  kind: Kind,
  { id, title, message, requirement, rule }: CheckReport,
  judged: string,
): string {
  return workflowCommand(kind, id, `${title}\n${message}\n${requirement}: ${rule}\n${judged}`);
}

function workflowCommand(kind: Kind, title: string, text: string): string {
  return `::${kind} title=${escapeProperty(title)}::${escapeData(text)}`;
}

/** The escapes that the runner reads in the text of a command; without them, a line break would end it. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
