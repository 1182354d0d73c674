/** A cell of a table. */
export type Cell = string | number | boolean | null;

/**
 * Returns a table as CSV (RFC 4180), with a line of column names. A text that a spreadsheet would take for a
 * formula gets an apostrophe in front. Null is an empty cell.
 */
export function writeCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return lines.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

const FORMULA = /^\s*[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
