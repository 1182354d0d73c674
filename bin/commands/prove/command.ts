import { outcomeExitCode } from '@hookproof/conformance';
import type { Proof } from '@hookproof/conformance/proof';
import { Option } from 'commander';
import type { Command } from 'commander';

import { applyConfigFile } from '../../command-line/config-file.ts';
import { named } from '../../command-line/option-name.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { commandLine } from '../check/command-line.ts';
import { checkSettings, helpOption, targetOptions } from '../check/options/all.ts';
import { givenOptions } from '../check/options/given.ts';
import { withRunningServer } from '../check/running-server.ts';
import { cleanUpTarget } from '../check/safety/clean-up.ts';
import { EXIT_CODE_INTERRUPTED, interruptible } from '../check/safety/interruption.ts';
import { journalPlace, newJournal } from '../check/safety/journal-files.ts';
import { undoLeftChanges } from '../check/safety/left-changes.ts';

const HELP = `
A pass means something where the check can fail. prove runs the checks, then puts known defects between the suite
and your target, one at a time, and runs the checks that should find them. Your target keeps its behavior. Expect
about four times the requests of hookproof check.

Exit codes:
  0 every pass could have failed   1 the target violates the contract   2 usage
  3 some pass could not have failed, or no check passed   4 target unreachable   5 error of the suite
  130 interrupted

Ctrl-C puts back what the run in progress changed and prints what was found. A second Ctrl-C ends at once; then use
--clean-up.

Examples:
  $ hookproof prove --sender --allow-writes             the running server
  $ hookproof prove --base-url https://api.example.com  with the key in HOOKPROOF_KEY
  $ hookproof prove --receiver http://127.0.0.1:3000/   with the secret in WEBHOOK_SECRET
  $ hookproof prove … --only api.inbox --json`;

/** Adds `hookproof prove`, which shows how many passes of a target could have failed. */
export function addProve(program: Command): void {
  const command = program
    .command('prove')
    .description('Shows how many passes of your target could have failed.')
    .addHelpOption(helpOption())
    .configureHelp({ optionDescription: ({ description }) => description })
    .addHelpText('after', HELP)
    .action(async () => {
      applyConfigFile(command);
      process.exitCode = await run(command, openScreen());
    });
  for (const option of targetOptions()) command.addOption(option);
  command.addOption(
    new Option('--json', 'print the proof as JSON').helpGroup('Checks and reports:'),
  );
}

async function run(command: Command, screen: Screen): Promise<number> {
  const options = await withRunningServer(givenOptions(command), screen, process.env);
  const settings = checkSettings(options);
  const place = journalPlace(settings, process.env);
  if (options.cleanUp === true) return named(command, cleanUpTarget(settings, place, screen));
  // The catalogue of defects is large: the other commands do without it.
  const { prove, renderProof } = await import('@hookproof/conformance/proof');
  const work = async (signal: AbortSignal): Promise<Proof> => {
    const around = {
      command: commandLine(command),
      say: (text: string) => screen.log(text),
      signal,
    };
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
  screen.print(options.json ? `${JSON.stringify(proof, null, 2)}\n` : renderProof(proof));
  return exitCode(proof);
}

/** A target that is incomplete still has passes to prove. */
function exitCode({ report, proven, unproven, isInterrupted }: Proof): number {
  if (isInterrupted) return EXIT_CODE_INTERRUPTED;
  const ofReport = outcomeExitCode(report);
  if (ofReport !== 0 && ofReport !== 3) return ofReport;
  return proven.length > 0 && unproven.length === 0 ? 0 : 3;
}
