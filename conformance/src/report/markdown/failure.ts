import { harmless } from '../characters.ts';
import { evidenceOf } from '../evidence.ts';
import type { CheckReport } from '../model.ts';
import { VERDICT_WORDS, actualText } from '../wording.ts';
import { codeBlock, codeSpan, plain } from './escape.ts';

/** Stated by the heading of the requirement, or by the item itself. */
const ELSEWHERE = new Set([
  'title',
  'message',
  'requirement',
  'rule',
  'expected',
  'actual',
  'likely cause',
  'fix',
]);

/** A check with its expected and actual result; what reproduces it is folded away. */
export function failureItem(check: CheckReport): string {
  const { id, title, rule, verdict, violation } = check;
  if (violation === undefined) return '';
  const { cause, fix } = violation.diagnosis;
  const blocks = evidenceOf(check)
    .filter(({ label }) => !ELSEWHERE.has(label))
    .flatMap(({ label, text }) => [`${plain(label)}:`, codeBlock(harmless(text))]);
  return [
    `- ${VERDICT_WORDS[verdict]} ${codeSpan(id)}: ${plain(title)}`,
    `  - expected ${codeSpan(violation.expected)}`,
    `  - got ${codeSpan(actualText(check))}`,
    ...(cause === null ? [] : [`  - likely cause: ${plain(cause)}`]),
    fix === null ? `  - rule: ${plain(rule)}` : `  - fix: ${plain(fix)}`,
    '',
    '<details><summary>Exchange and how to reproduce it</summary>',
    '',
    ...blocks.flatMap((block) => [block, '']),
    '</details>',
  ].join('\n');
}
