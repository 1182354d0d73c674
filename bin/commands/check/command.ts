import { outcomeExitCode, runConformance } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import type { Command } from 'commander';

import { applyConfigFile } from '../../command-line/config-file.ts';
import { asUsageError, named } from '../../command-line/option-name.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { CHECK_HELP } from './help.ts';
import { checkOptions, checkSettings, settingsOf } from './options/all.ts';
import type { CheckOptions } from './options/all.ts';
import { requireManyTargets } from './options/targets.ts';
import { printExplanation, printList } from './guide.ts';
import { openFixtures } from './init-fixtures.ts';
import { openBaseline } from './baseline.ts';
import { RUN_FORMATS, TARGETS_FORMATS } from './formats.ts';
import { openOutput } from './output.ts';
import { cleanUpTarget } from './safety/clean-up.ts';
import { interruptible } from './safety/interruption.ts';
import { journalPlace, newJournal } from './safety/journal-files.ts';
import { checkTargets } from './targets/check-targets.ts';
import { cleanUpTargets } from './targets/clean-up-targets.ts';
import { readTargets } from './targets/targets-file.ts';
import { withRunningServer } from './running-server.ts';
import { requireWatchable, watchTarget } from './watch/watch-target.ts';

/** Adds `hookproof check`, which runs the conformance suite against an API, its sender or a receiver. */
export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description(
      'Checks whether an API, its webhook sender or a webhook receiver follows the contract.',
    )
    .addHelpText('after', CHECK_HELP)
    .action(async () => {
      applyConfigFile(command);
      process.exitCode = await check(command, openScreen());
    });
  for (const option of checkOptions()) command.addOption(option);
}

async function check(command: Command, screen: Screen): Promise<number> {
  const given = command.opts<CheckOptions>();
  if (given.targets !== undefined) return checkMany(given.targets, command, screen);
  const isGuide = given.list === true || given.explain !== undefined;
  const options = isGuide ? given : await withRunningServer(given, screen, process.env);
  if (options.cleanUp === true) {
    const settings = checkSettings(options);
    const place = journalPlace(settings, options.journal, process.env);
    return named(command, cleanUpTarget(settings, place, screen));
  }
  if (isGuide) return guide(command, options, screen);
  requireWatchable(options);
  const output = openOutput(RUN_FORMATS, options, screen, process.env);
  const accept = openBaseline(options, screen);
  const writeFixtures = openFixtures(options.initFixtures, screen);
  const run = async (signal: AbortSignal, only = options.only): Promise<Report> => {
    const settings = only === undefined ? options : { ...options, only };
    return accept(await runSuite(command, settings, { screen, signal }));
  };
  if (options.watch !== undefined) {
    return watchTarget(options, { run, output, screen, program: process });
  }
  const report = await interruptible(process, screen, run);
  output.write(report);
  writeFixtures(report);
  return outcomeExitCode(report);
}

/** Judges the targets of a file. */
async function checkMany(file: string, command: Command, screen: Screen): Promise<number> {
  const options = command.opts<CheckOptions>();
  requireManyTargets(command);
  const targets = readTargets(file, process.env);
  if (options.cleanUp === true) return cleanUpTargets(targets, options, screen, process.env);
  const output = openOutput(TARGETS_FORMATS, options, screen, process.env);
  const report = await interruptible(process, screen, (signal) =>
    checkTargets(targets, options, { screen, signal }),
  );
  output.write(report);
  return report.exitCode;
}

/** Prints something about checks. Sends nothing. */
function guide(command: Command, options: CheckOptions, screen: Screen): number {
  const json = options.json === true;
  try {
    if (options.explain === undefined) printList(settingsOf(options), json, screen);
    else printExplanation(options.explain, json, screen);
    return 0;
  } catch (error) {
    throw asUsageError(error, command);
  }
}

/** Runs the suite once. */
async function runSuite(
  command: Command,
  options: CheckOptions,
  { screen, signal }: { readonly screen: Screen; readonly signal: AbortSignal },
): Promise<Report> {
  const settings = checkSettings(options);
  const place = journalPlace(settings, options.journal, process.env);
  const run = runConformance({
    ...settings,
    signal,
    journal: newJournal(place, process.pid),
    rejections: process,
    onProgress: ({ done, total, check: id }) => screen.progress(`${done}/${total}  ${id}`),
  });
  return named(command, run);
}
