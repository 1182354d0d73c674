import { Help } from 'commander';

/** In a narrower column, almost every word would stand alone. */
const MIN_COLUMNS = 24;

/**
 * Breaks a line between words, with an indent from the second line on. No word is cut, so that what a reader copies
 * stays whole. The widths of commander's help are those of the terminal without styles.
 */
export function wrapLine(line: string, columns: number, indent: number): string {
  const help = new Help();
  const [first = '', ...rest] = help.boxWrap(line, columns).split('\n');
  if (rest.length === 0) return first;
  const more = help.boxWrap(rest.join(' '), columns - indent).split('\n');
  return [first, ...more].join(`\n${' '.repeat(indent)}`);
}

/** Breaks the lines of a text between words. Paragraphs are filled again, and columns stay columns. */
export function wrapText(text: string, columns: number): string {
  return paragraphsOf(text.split('\n'), columns)
    .map((line) => wrapLine(line, columns, indentOf(line, columns)))
    .join('\n');
}

/** Joins the lines of a paragraph that is wider. */
function paragraphsOf(lines: readonly string[], columns: number): string[] {
  const paragraphs: string[] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1) ?? '';
    const isOfSame = /^\S/.test(line) && /^\S/.test(last) && last.length > columns;
    if (isOfSame) paragraphs[paragraphs.length - 1] = `${last} ${line}`;
    else paragraphs.push(line);
  }
  return paragraphs;
}

/** Returns where the second column of a line begins, or else its text. */
function indentOf(line: string, columns: number): number {
  const [start = ''] = /^\s*/.exec(line) ?? [];
  const [first = start] = /^\s*\S.*?\s{2,}(?=\S)/.exec(line) ?? [];
  return columns - first.length < MIN_COLUMNS ? start.length : first.length;
}
