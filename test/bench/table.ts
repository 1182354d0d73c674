import type { Row } from './bench.ts';

const HEADINGS = ['what', 'measured', 'beside', 'ratio', 'bar', 'met'] as const;

/** Formats rows as text with aligned columns. */
export function renderTable(rows: readonly Row[]): string {
  const lines: readonly (readonly string[])[] = [HEADINGS, ...rows.map(cells)];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cells({ what, measured, against, ratio, bar }: Row): readonly string[] {
  return [
    what,
    measured,
    against,
    ratio === null ? '' : ratio.toFixed(ratio < 0.01 ? 4 : 2),
    bar?.asks ?? '',
    bar === null ? '' : verdict(bar.met),
  ];
}

function verdict(met: boolean): string {
  return met ? 'met' : 'NOT MET';
}
