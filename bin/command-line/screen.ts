import { styleText } from 'node:util';

import { visible } from './visible.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** One function for each style; each returns its text unchanged when there are no colors. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

/** The terminal or pipe that a command writes to. */
export interface Screen {
  /** Writes a line of the command's result to standard output. Control characters in it become visible. */
  print(line: string): void;
  /** Writes a line to standard error if that is a terminal. */
  note(line: string): void;
  /** Writes a line to standard error, also in a pipe. */
  log(line: string): void;
  /** Replaces the progress line on standard error if that is a terminal. */
  progress(line: string): void;
  readonly color: boolean;
  /** The width of the terminal; infinite in a pipe. */
  readonly columns: number;
  readonly paint: Paint;
}

/** Returns the time of day in UTC, with which the lines of what happens begin. */
export function timeOfDay(at: number | string): string {
  return new Date(at).toISOString().slice(11, 23);
}

/** The column after the time of day, in which more lines of the same begin. */
export const AFTER_TIME = 14;

/** Returns the width of a terminal; infinite for a pipe. */
function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? stream.columns || 80 : Infinity;
}

/** Opens the standard streams. */
export function openScreen(): Screen {
  const color = hasColor(process.env, process.stdout.isTTY);
  const columns = columnsOf(process.stdout);
  const live = process.stderr.isTTY;
  let inProgress = false;
  const clear = (): void => {
    if (inProgress) process.stderr.write('\r\u001B[K');
    inProgress = false;
  };
  const print = (line: string): void => {
    clear();
    process.stdout.write(`${visible(line, color)}\n`);
  };
  const log = (line: string): void => {
    clear();
    process.stderr.write(`${visible(line)}\n`);
  };
  return {
    print,
    note(line) {
      if (live) log(line);
    },
    log,
    progress(line) {
      if (!live) return;
      clear();
      process.stderr.write(visible(line).slice(0, columnsOf(process.stderr) - 1));
      inProgress = line !== '';
    },
    color,
    columns,
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
