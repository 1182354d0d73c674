import type { Screen } from '../../../command-line/screen.ts';
import { checkSettings } from '../options/all.ts';
import type { CheckOptions } from '../options/all.ts';
import { cleanUpTarget } from '../safety/clean-up.ts';
import { journalPlace } from '../safety/journal-files.ts';
import { withJournal } from './check-targets.ts';
import type { NamedTarget } from './targets-file.ts';

/** Undoes what killed runs changed in each target, and prints it. Resolves with the highest exit code. */
export async function cleanUpTargets(
  targets: readonly NamedTarget[],
  { journal }: CheckOptions,
  screen: Screen,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  let worst = 0;
  for (const target of targets) {
    const { name, options } = withJournal(target, journal);
    screen.print(`${name}:`);
    const settings = checkSettings(options);
    const place = journalPlace(settings, options.journal, environment);
    worst = Math.max(worst, await cleanUpTarget(settings, place, screen));
  }
  return worst;
}
