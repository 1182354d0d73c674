import { diffReports, renderDiff } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import type { Screen } from '../../../command-line/screen.ts';
import type { Trigger } from './triggers.ts';

/** What a watch works with. */
export interface Watch {
  /** Runs all checks, or only those of the given ids. */
  readonly run: (only?: readonly string[]) => Promise<Report>;
  /** Prints the whole report of a run and writes its files. */
  readonly write: (report: Report) => void;
  readonly writeFiles: (report: Report) => void;
  /** Resolves when it is time for another run; null when the user ends the watch. */
  readonly next: (isUnreachable: boolean) => Promise<Trigger | null>;
  /** Aborts when the user ends the watch. */
  readonly end: AbortSignal;
  readonly screen: Screen;
}

/**
 * Runs the suite again after each trigger, until the user ends it: first the checks that failed, because their result
 * is what the user waits for, then all. Shows what changed. Resolves with the exit code of the last run.
 */
export async function watch(options: Watch): Promise<number> {
  const { run, write, writeFiles, next, end, screen } = options;
  let last = await run();
  write(last);
  /** The last report with a result; an unreachable target would look like a change of every check. */
  let known = last.unreachable === null ? last : null;
  for (;;) {
    const trigger = await next(last.unreachable !== null);
    if (trigger === null) return last.exitCode;
    screen.print(`\n${TRIGGERS[trigger]}`);
    const red = known === null ? [] : failing(known);
    const isPartial = red.length > 0 && red.length < (known?.checks.length ?? 0);
    if (isPartial) {
      const partial = await run(red);
      if (end.aborted) return endedBy(partial, options);
      showRed(red.length, partial, screen);
    }
    last = await run();
    if (end.aborted) return endedBy(last, options);
    writeFiles(last);
    if (known === null && last.unreachable === null) write(last);
    else screen.print(changes(known, last));
    if (last.unreachable === null) known = last;
  }
}

/** The user ended the watch during this run. */
function endedBy(report: Report, { write }: Watch): number {
  write(report);
  return report.exitCode;
}

const TRIGGERS: Readonly<Record<Trigger, string>> = {
  key: 'Another run.',
  interval: 'Another run.',
  target: 'The target is back: another run.',
};

function failing({ checks }: Report): string[] {
  return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

function showRed(before: number, report: Report, screen: Screen): void {
  if (report.unreachable !== null) return;
  const still = report.checks.filter(({ verdict }) => verdict === 'fail');
  const passed = report.checks.filter(({ verdict }) => verdict === 'pass').length;
  screen.print(`${passed} of ${before} failed checks pass now.`);
  for (const { id, message } of still) screen.print(`  still fails: ${id}: ${message}`);
}

function changes(before: Report | null, after: Report): string {
  if (before === null || after.unreachable !== null) return after.headline;
  return `${renderDiff(diffReports(before, after))}${after.headline}`;
}
