import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions, Report } from '@hookproof/conformance';
import type { Command } from 'commander';

import { named } from '../../command-line/option-name.ts';
import { commandLine } from './command-line.ts';
import { checkSettings } from './options/all.ts';
import type { CheckOptions } from './options/all.ts';
import { journalPlace, newJournal } from './safety/journal-files.ts';
import { undoLeftChanges } from './safety/left-changes.ts';

/** What follows a run of the suite, and can end it. */
export type Watch = Pick<ConformanceOptions, 'onNotice' | 'onProgress' | 'signal'>;

/** Runs the suite once. An invalid option rejects with a usage error under the name that the user gave it. */
export async function runSuite(
  command: Command,
  options: CheckOptions,
  watch: Watch,
): Promise<Report> {
  const settings = checkSettings(options);
  const place = journalPlace(settings, process.env);
  const line = commandLine(command);
  const say = (text: string): void => watch.onNotice?.(text);
  const { signal } = watch;
  const around = { command: line, say, signal };
  const allowed = await named(command, undoLeftChanges(settings, place, around));
  const run = runConformance({
    ...allowed,
    ...watch,
    command: line,
    journal: newJournal(place, process.pid),
    rejections: process,
  });
  return named(command, run);
}
