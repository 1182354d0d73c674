import { outcomeExitCode } from '@hookproof/conformance';
import type { Command } from 'commander';

import { UsageError } from '../../command-line/errors.ts';
import { asUsageError, named } from '../../command-line/option-name.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { CHECK_HELP } from './help.ts';
import { checkOptions, checkSettings, helpOption, settingsOf } from './options/all.ts';
import type { CheckOptions } from './options/all.ts';
import { givenOptions } from './options/given.ts';
import { printExplanation, printList } from './guide.ts';
import { openFixtures } from './init-fixtures.ts';
import { openBaseline } from './baseline.ts';
import { compareFiles, openComparison } from './compare.ts';
import { isExplainable, requireKnownIds } from './known-ids.ts';
import { openOutput } from './output.ts';
import { proveTarget } from './prove.ts';
import { runSuite } from './run-suite.ts';
import { cleanUpTarget } from './safety/clean-up.ts';
import { interruptible } from './safety/interruption.ts';
import { journalPlace } from './safety/journal-files.ts';
import { withRunningServer } from './running-server.ts';

/** Adds `hookproof check`, which runs the conformance suite against an API, its sender or a receiver. */
export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description('Checks an API, its webhook sender or a webhook receiver.')
    .addHelpOption(helpOption())
    .addHelpText('after', CHECK_HELP)
    .action(async () => {
      process.exitCode = await check(command, openScreen());
    });
  for (const option of checkOptions()) command.addOption(option);
}

async function check(command: Command, screen: Screen): Promise<number> {
  const given = givenOptions(command);
  requireKnownIds(given.only);
  const { compare: files = [], list } = given;
  if (files.length > 2) {
    throw new UsageError(`--compare takes one or two files, got ${files.length}. Leave some out.`);
  }
  if (files.length === 2) return compareFiles(files, given.json === true, screen);
  const options = list === undefined ? await withRunningServer(given, screen, process.env) : given;
  if (options.cleanUp === true) {
    const settings = checkSettings(options);
    const place = journalPlace(settings, process.env);
    return named(command, cleanUpTarget(settings, place, screen));
  }
  if (list !== undefined) return guide(command, list, options, screen);
  if (options.prove === true) return proveTarget(command, options, screen);
  const output = openOutput(options, screen, process.env);
  const accept = openBaseline(options, screen);
  const compare = openComparison(options, screen);
  const writeFixtures = openFixtures(options.initFixtures, screen);
  const report = await interruptible(process, screen, async (signal) =>
    accept(
      await runSuite(command, options, {
        signal,
        onNotice: (text) => screen.log(text),
        onProgress: ({ done, total, check: id }) => screen.progress(`${done}/${total}  ${id}`),
      }),
    ),
  );
  output.write(report);
  compare(report);
  writeFixtures(report);
  return outcomeExitCode(report);
}

/** Prints something about checks. Sends nothing. */
function guide(command: Command, list: string, options: CheckOptions, screen: Screen): number {
  const json = options.json === true;
  try {
    if (isExplainable(list)) printExplanation(list, json, screen);
    else printList(settingsOf(options), list, json, screen);
    return 0;
  } catch (error) {
    throw asUsageError(error, command);
  }
}
