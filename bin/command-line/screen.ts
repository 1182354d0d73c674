import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** One function for each style; each returns its text unchanged when there are no colors. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

/** The terminal or pipe that a command writes to. */
export interface Screen {
  /** Writes a line of the command's result to standard output. */
  print(line: string): void;
  /** Writes a line to standard error if that is a terminal. */
  note(line: string): void;
  /** Replaces the progress line on standard error if that is a terminal. */
  progress(line: string): void;
  readonly color: boolean;
  /** The width of the terminal; infinite in a pipe. */
  readonly columns: number;
  readonly paint: Paint;
}

/** Opens the standard streams. */
export function openScreen(): Screen {
  const color = hasColor(process.env, process.stdout.isTTY);
  const live = process.stderr.isTTY;
  let inProgress = false;
  const clear = (): void => {
    if (inProgress) process.stderr.write('\r\u001B[K');
    inProgress = false;
  };
  return {
    print(line) {
      clear();
      process.stdout.write(`${line}\n`);
    },
    note(line) {
      clear();
      if (live) process.stderr.write(`${line}\n`);
    },
    progress(line) {
      if (!live) return;
      clear();
      process.stderr.write(line.slice(0, (process.stderr.columns || 80) - 1));
      inProgress = line !== '';
    },
    color,
    columns: process.stdout.isTTY ? process.stdout.columns || 80 : Infinity,
    paint: paintOf(color),
  };
}

/** `FORCE_COLOR` decides, as in Node.js: `0` is no. Without it, colors need a terminal and an empty `NO_COLOR`. */
function hasColor(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const { FORCE_COLOR = '', NO_COLOR = '', TERM } = env;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && NO_COLOR === '' && TERM !== 'dumb';
}

function paintOf(color: boolean): Paint {
  const painter =
    (style: Style) =>
    (text: string): string =>
      color ? styleText(style, text, { validateStream: false }) : text;
  return {
    bold: painter('bold'),
    dim: painter('dim'),
    red: painter('red'),
    green: painter('green'),
    yellow: painter('yellow'),
    cyan: painter('cyan'),
  };
}
