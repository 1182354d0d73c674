import { cleanUp } from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';

import type { Screen } from '../../../command-line/screen.ts';
import { isRunning } from './is-running.ts';
import { leftJournals } from './journal-files.ts';
import type { JournalPlace } from './journal-files.ts';

const EXIT_CODE_CLEAN = 0;
const EXIT_CODE_LEFT = 3;

/** Undoes what killed runs changed in a target, and prints it. Resolves with the exit code. */
export async function cleanUpTarget(
  settings: ConformanceOptions,
  place: JournalPlace,
  screen: Screen,
): Promise<number> {
  const { left, inProgress } = leftJournals(place, isRunning);
  let found = 0;
  const leftBehind: string[] = [];
  for (const journal of left) {
    const result = await cleanUp({ ...settings, journal });
    found += result.found;
    leftBehind.push(...result.leftBehind);
  }
  const undone = found - leftBehind.length;
  screen.print(
    found === 0 ? 'Nothing to undo.' : `Undone: ${undone} of ${found} changes of killed runs.`,
  );
  for (const text of leftBehind) screen.print(`Not undone: ${text}`);
  if (inProgress > 0) screen.print('A run against this target is in progress; it undoes its own.');
  return leftBehind.length === 0 ? EXIT_CODE_CLEAN : EXIT_CODE_LEFT;
}
