import { harmless } from '../report/characters.ts';
import { VERDICT_WORDS, counted } from '../report/wording.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Change, ReportDiff } from './diff.ts';

/**
 * Returns a difference as text, with a line for each check that changed, or one for many that
 * changed in the same way. Without changes, it is one line.
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
  const { newFails, firstFails, fixed, changed, onlyBefore, onlyAfter } = diff;
  const sections = [
    section('New fails', newFails.map(withMessage)),
    section('Fails that did not run before', firstFails.map(withMessage)),
    section('Fixed', fixed.map(verdicts)),
    section('Other verdict', folded(changed, withMessage)),
    section('Only in the first report', folded(onlyBefore, verdicts)),
    section('Only in the second report', folded(onlyAfter, verdicts)),
  ].filter((text) => text !== '');
  if (sections.length === 0) return 'No verdict changed.\n';
  const summary = [
    counted(newFails.length, 'new fail', 'new fails'),
    ...(firstFails.length === 0 ? [] : [`${firstFails.length} of checks that did not run before`]),
    `${fixed.length} fixed`,
    counted(changed.length, 'other verdict', 'other verdicts'),
  ].join(', ');
  return `${[...sections, summary].join('\n\n')}\n`;
}

/** More checks with the same two verdicts have one cause, such as a key that was added. */
const MAX_LISTED = 5;
const MAX_NAMED = 3;

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return [title, ...lines.map((line) => `  ${harmless(line)}`)].join('\n');
}

/** Returns a line for each check, or one line for many with the same verdicts. */
function folded(changes: readonly Change[], lineOf: (change: Change) => string): string[] {
  const transitions = [...new Set(changes.map(transition))];
  return transitions.flatMap((shown) => {
    const group = changes.filter((change) => transition(change) === shown);
    if (group.length <= MAX_LISTED) return group.map(lineOf);
    const named = group.slice(0, MAX_NAMED).map(({ check }) => check);
    const more = group.length - MAX_NAMED;
    return [
      `${group.length} checks: ${shown}\n    ${named.join(', ')} and ${more} more; --json lists them`,
    ];
  });
}

function withMessage(change: Change): string {
  return `${verdicts(change)}\n    ${change.message.replaceAll('\n', '\n    ')}`;
}

function verdicts(change: Change): string {
  return `${change.check}: ${transition(change)}`;
}

function transition({ before, after }: Change): string {
  if (before === null) return `${word(after)}, did not run before`;
  if (after === null) return `${word(before)}, did not run again`;
  return `${word(before)} → ${word(after)}`;
}

function word(verdict: Verdict | null): string {
  return verdict === null ? '' : VERDICT_WORDS[verdict];
}
