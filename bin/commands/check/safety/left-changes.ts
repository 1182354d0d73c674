import { cleanUp, leftChanges } from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';

import { isRunning } from './is-running.ts';
import { leftJournals } from './journal-files.ts';
import type { JournalPlace } from './journal-files.ts';

/** Names of changes in one line. */
const MAX_NAMES = 5;

/**
 * Says what killed runs left in a target, before the next run begins, which undoes it if it can. Resolves with the
 * settings of that run: it only reads where fields could not be set back, because it would take them for the originals.
 */
export async function undoLeftChanges(
  settings: ConformanceOptions,
  place: JournalPlace,
  {
    command,
    say,
    signal,
  }: {
    readonly command: string;
    readonly say: (text: string) => void;
    readonly signal: AbortSignal | undefined;
  },
): Promise<ConformanceOptions> {
  let isOpen = false;
  for (const journal of leftJournals(place, isRunning).left) {
    const options = { ...settings, journal, ...(signal === undefined ? {} : { signal }) };
    const { changes, undoable } = await leftChanges(options);
    if (changes.length === 0) continue;
    const more = changes.length > MAX_NAMES ? ` and ${changes.length - MAX_NAMES} more` : '';
    const names = `${changes.slice(0, MAX_NAMES).join(', ')}${more}`;
    say(`A run against this target was killed and did not undo its changes: ${names}.`);
    if (!undoable) {
      say(`Undo them: ${command} --clean-up`);
      continue;
    }
    const { found, leftBehind } = await cleanUp(options);
    say(`Undone before this run begins: ${found - leftBehind.length} of ${found}.`);
    for (const text of leftBehind) say(`Not undone: ${text}`);
    if (!(await leftChanges(options)).areFieldsChanged) continue;
    isOpen = true;
    say(
      `This run only reads, until that is undone or ${journal.place ?? 'the journal'} is deleted.`,
    );
  }
  return isOpen ? { ...settings, allowWrites: false, allowDeletes: false } : settings;
}
