import type { VisitedFile } from './coverage.ts';

/** What one call visited. */
export interface Result {
  readonly name: string;
  readonly what: string;
  readonly bar: number;
  readonly files: readonly VisitedFile[];
}

/** A line for each call; with `verbose`, a line for each of its files too. */
export function table(results: readonly Result[], verbose: boolean): string {
  const lines = results.flatMap(({ what, bar, files }) => {
    const functions = files.reduce((sum, file) => sum + file.functions, 0);
    const names = files.map(({ path, functions: count }) => `  ${path} (${count})`);
    return [row(what, files.length, functions, bar), ...(verbose ? names : [])];
  });
  return [row('call', 'files', 'functions', 'bar'), ...lines, ''].join('\n');
}

function row(what: string, ...cells: readonly (string | number)[]): string {
  return what.padEnd(32) + cells.map((cell) => String(cell).padStart(11)).join('');
}
