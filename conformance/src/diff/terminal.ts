import { harmless } from '../report/characters.ts';
import { VERDICT_WORDS, counted } from '../report/wording.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Change, ReportDiff } from './diff.ts';

/**
 * Returns a difference as text, with a line for each check that changed. Without changes, it is one line.
 *
 * @example
 * ```ts
 * import { diffReports, renderDiff } from '@hookproof/conformance';
 * import type { Report } from '@hookproof/conformance';
 *
 * export function printChanges(before: Report, after: Report): void {
 *   console.log(renderDiff(diffReports(before, after)));
 * }
 * ```
 */
export function renderDiff(diff: ReportDiff): string {
  const { newFails, fixed, changed, onlyBefore, onlyAfter } = diff;
  const sections = [
    section('New fails', newFails, withMessage),
    section('Fixed', fixed, verdicts),
    section('Other verdict', changed, withMessage),
    section('Only in the first report', onlyBefore, verdicts),
    section('Only in the second report', onlyAfter, verdicts),
  ].filter((text) => text !== '');
  if (sections.length === 0) return 'No verdict changed.\n';
  const summary = [
    counted(newFails.length, 'new fail', 'new fails'),
    `${fixed.length} fixed`,
    counted(changed.length, 'other verdict', 'other verdicts'),
  ].join(', ');
  return `${[...sections, summary].join('\n\n')}\n`;
}

function section(
  title: string,
  changes: readonly Change[],
  lineOf: (change: Change) => string,
): string {
  if (changes.length === 0) return '';
  return [title, ...changes.map((change) => `  ${harmless(lineOf(change))}`)].join('\n');
}

function withMessage(change: Change): string {
  return `${verdicts(change)}\n    ${change.message.replaceAll('\n', '\n    ')}`;
}

function verdicts({ check, before, after }: Change): string {
  if (before === null) return `${check}: ${word(after)}, did not run before`;
  if (after === null) return `${check}: ${word(before)}, did not run again`;
  return `${check}: ${word(before)} → ${word(after)}`;
}

function word(verdict: Verdict | null): string {
  return verdict === null ? '' : VERDICT_WORDS[verdict];
}
