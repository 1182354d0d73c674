import { onOneLine } from '../characters.ts';

/** Text that Markdown shows as written, on one line, also in the cell of a table. No URL in it becomes a link. */
export function plain(text: string): string {
  return onOneLine(text).replaceAll(
    /[\\`*_[\]<>#!|~&@$]|:(?=\/\/)|(?<=www)\./g,
    (character) => `\\${character}`,
  );
}

/** Text of a target as a code span on one line: no mention, link or markup in it comes to life. */
export function codeSpan(text: string): string {
  const line = onOneLine(text);
  if (line.trim() === '') return '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/**
 * Text of a target as code in the cell of a table. A code span cannot hold every text there: a backslash before a pipe
 * ends the cell. References to characters can.
 */
export function codeCell(text: string): string {
  const safe = onOneLine(text).replaceAll(
    /[!-/:-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
  return `<code>${safe}</code>`;
}

/** Text as a code block, whose fence is longer than any run of backticks in it. */
export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
