import type { AttemptRow } from '@hookproof/spec/control';
import { Option } from 'commander';
import type { Command } from 'commander';

import { applyConfigFile } from '../command-line/config-file.ts';
import { openScreen } from '../command-line/screen.ts';
import type { Screen } from '../command-line/screen.ts';
import { attemptJson, attemptLine, explanationLines, isAccepted } from '../running/attempt-line.ts';
import { redeliver } from '../running/redeliver.ts';
import { runningControl } from '../running/running-control.ts';

const EXAMPLES = `
Exit codes:
  0 the app responded 2xx   1 it did not, within 15 s   2 usage

Examples:
  $ hookproof redeliver                              the last delivery
  $ hookproof redeliver dlv_0f1a...                  a delivery
  $ hookproof redeliver whev_0f1a...                 an event, to each of its endpoints
  $ hookproof redeliver ended                        every delivery that ended without a 2xx
  $ hookproof redeliver last --json                  a line of JSON for each attempt`;

/** Adds `hookproof redeliver`, which makes one more attempt of a delivery on the running server. */
export function addRedeliver(program: Command): void {
  const command = program
    .command('redeliver')
    .description(
      'Sends a delivery of the running server once more, with the same event and payload.',
    )
    .argument('[which]', 'ID of a delivery or of an event, ended, or last', 'last')
    .addOption(new Option('--json', 'print a line of JSON for each attempt'))
    .addHelpText('after', EXAMPLES)
    .action(async (which: string) => {
      applyConfigFile(command);
      const { json } = command.opts<{ readonly json?: true }>();
      process.exitCode = await showRedelivery(which, json === true, openScreen());
    });
}

async function showRedelivery(which: string, isJson: boolean, screen: Screen): Promise<number> {
  const server = await runningControl('Start one with hookproof serve --forward-to URL.');
  const show = (attempt: AttemptRow): void => {
    if (isJson) return screen.print(JSON.stringify(attemptJson(attempt)));
    screen.printWords(attempt.deliveryId + attemptLine(attempt, screen.paint), 4);
    for (const line of explanationLines(attempt)) {
      screen.printWords(`    ${screen.paint.dim(line)}`, 4);
    }
  };
  const made = await redeliver(which, server, show);
  return made.every((one) => one !== undefined && isAccepted(one)) ? 0 : 1;
}
