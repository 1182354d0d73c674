import type { Report } from '@hookproof/conformance';

import { UsageError } from '../../../command-line/errors.ts';
import type { Screen } from '../../../command-line/screen.ts';
import type { CheckOptions } from '../options/all.ts';
import type { Output } from '../output.ts';
import { interruptible } from '../safety/interruption.ts';
import { watch } from './loop.ts';
import { openTriggers } from './triggers.ts';

/** Throws a usage error for options that make no sense with --watch. */
export function requireWatchable({ watch: interval, json, updateBaseline }: CheckOptions): void {
  if (interval === undefined) return;
  const other = json === true ? '--json' : updateBaseline === true ? '--update-baseline' : null;
  if (other === null) return;
  throw new UsageError(
    `--watch cannot be used with ${other}, got both. Use --report json=FILE, or run once without --watch.`,
  );
}

/** What a watch needs from the command. */
interface WatchContext {
  readonly run: (signal: AbortSignal, only?: readonly string[]) => Promise<Report>;
  readonly output: Output<Report>;
  readonly screen: Screen;
  /** The process: its standard input and its signals. */
  readonly program: NodeJS.Process;
}

/**
 * Runs the suite again and again until Ctrl-C. A run in progress then puts back what it changed. Resolves with the exit
 * code of the last run.
 */
export function watchTarget(options: CheckOptions, context: WatchContext): Promise<number> {
  const { program, screen } = context;
  return interruptible(program, screen, (end) => watchUntil(end, options, context));
}

async function watchUntil(
  end: AbortSignal,
  options: CheckOptions,
  { run, output, screen, program }: WatchContext,
): Promise<number> {
  const triggers = openTriggers({
    input: program.stdin,
    intervalMilliseconds: typeof options.watch === 'number' ? options.watch * 1000 : null,
    targets: [options.baseUrl, options.receiver].filter((url) => url !== undefined),
    end,
    onDown: () => screen.print('The target does not listen. The next run starts when it is back.'),
  });
  const next: typeof triggers.next = (isUnreachable) => {
    screen.note('Press Enter for another run, or Ctrl-C to end.');
    return triggers.next(isUnreachable);
  };
  try {
    return await watch({ run: (only) => run(end, only), next, end, screen, ...output });
  } finally {
    triggers.close();
    // Standard input would keep the process alive.
    program.stdin.pause();
  }
}
