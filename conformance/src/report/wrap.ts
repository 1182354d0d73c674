import { stripVTControlCharacters } from 'node:util';

/** A narrower column would break almost every word from the next. */
const MIN_WIDTH = 24;

/**
 * Breaks each line of a text between words, so that none is wider than a number of columns. Colors take no width. A
 * URL stays whole; a longer word, such as JSON, is broken after a comma, or cut. Every line stays whole when there are too few columns.
 */
export function wrap(text: string, width: number): string[] {
  const lines = text.split('\n');
  return width < MIN_WIDTH ? lines : lines.flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const part of line.match(/\s*\S+/g) ?? []) {
    if (current === '' || widthOf(current + part) <= width) current += part;
    else {
      lines.push(current);
      current = part.trimStart();
    }
    while (widthOf(current) > width && !IN_ONE_PIECE.test(current)) {
      const end = current.lastIndexOf(',', width - 1) + 1 || width;
      lines.push(current.slice(0, end));
      current = current.slice(end);
    }
  }
  return [...lines, current];
}

/** URLs and colored words. */
const IN_ONE_PIECE = /^\s*https?:|\p{Cc}/u;

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
