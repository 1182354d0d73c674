import { outcomeExitCode } from '@hookproof/conformance';
import type { Proof } from '@hookproof/conformance/proof';
import type { Command } from 'commander';

import { named } from '../../command-line/option-name.ts';
import type { Screen } from '../../command-line/screen.ts';
import { commandLine } from './command-line.ts';
import { checkSettings } from './options/all.ts';
import type { CheckOptions } from './options/all.ts';
import { EXIT_CODE_INTERRUPTED, interruptible } from './safety/interruption.ts';
import { journalPlace, newJournal } from './safety/journal-files.ts';
import { undoLeftChanges } from './safety/left-changes.ts';

/** Runs the checks, then again with known defects, and prints which passes could have failed. Returns the exit code. */
export async function proveTarget(
  command: Command,
  options: CheckOptions,
  screen: Screen,
): Promise<number> {
  const settings = checkSettings(options);
  const place = journalPlace(settings, process.env);
  // The catalogue of defects is large: the other runs do without it.
  const { prove, renderProof } = await import('@hookproof/conformance/proof');
  const say = (text: string): void => screen.log(text);
  const work = async (signal: AbortSignal): Promise<Proof> => {
    const around = { command: commandLine(command), say, signal };
    return prove({
      ...(await undoLeftChanges(settings, place, around)),
      signal,
      journal: () => newJournal(place, process.pid),
      rejections: process,
      onDefect: ({ proven, total, defect }) =>
        screen.progress(`${proven}/${total} passes  ${defect ?? 'the target itself'}`),
    });
  };
  const proof = await named(command, interruptible(process, screen, work));
  screen.print(
    options.json === true
      ? `${JSON.stringify(proof, null, 2)}\n`
      : renderProof(proof, { verbose: options.verbose === true }),
  );
  return exitCode(proof);
}

/** A target that is incomplete still has passes to prove. */
function exitCode({ report, proven, unproven, isInterrupted }: Proof): number {
  if (isInterrupted) return EXIT_CODE_INTERRUPTED;
  const ofReport = outcomeExitCode(report);
  if (ofReport !== 0 && ofReport !== 3) return ofReport;
  return proven.length > 0 && unproven.length === 0 ? 0 : 3;
}
