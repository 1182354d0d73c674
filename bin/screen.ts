import pc from 'picocolors';

/** What the commands may know of the terminal they write to. */
export interface Screen {
  /** Writes one line of the command's result to standard output. */
  print(line: string): void;
  /** Writes one line for a person only: nothing when standard error is not a terminal. */
  note(line: string): void;
  /** Replaces the line of progress at the foot of the terminal; nothing in a pipe. */
  progress(line: string): void;
  readonly color: boolean;
  readonly paint: ReturnType<typeof pc.createColors>;
}

/** Colours and progress only where a person looks; `NO_COLOR` and pipes get plain text. */
export function openScreen(): Screen {
  const color =
    process.stdout.isTTY &&
    (process.env['NO_COLOR'] ?? '') === '' &&
    process.env['TERM'] !== 'dumb';
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
    paint: pc.createColors(color),
  };
}
