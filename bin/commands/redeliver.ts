import type { AttemptRow } from '@hookproof/spec/control';
import { Option } from 'commander';
import type { Command } from 'commander';

import { openScreen } from '../command-line/screen.ts';
import type { Screen } from '../command-line/screen.ts';
import { attemptJson, failureOf, isAccepted, saidPart } from '../running/attempt-line.ts';
import { attemptReport } from '../running/attempt-report.ts';
import { redeliver } from '../running/redeliver.ts';
import { runningControl } from '../running/running-control.ts';
import { endpointsOf } from '../running/world-endpoints.ts';

const EXAMPLES = `
The event and the payload stay the same, and the signature is new.

Exit codes: 0 the app responded 2xx, 1 it did not within 15 s, 2 usage.

Examples:
  $ hookproof redeliver                 the last delivery
  $ hookproof redeliver dlv_0f1a...     a delivery
  $ hookproof redeliver whev_0f1a...    an event, to each of its endpoints
  $ hookproof redeliver ended           all that ended without a 2xx`;

/** Adds `hookproof redeliver`, which makes one more attempt of a delivery on the running server. */
export function addRedeliver(program: Command): void {
  const command = program
    .command('redeliver')
    .description('Sends a delivery of the running server once more.')
    .argument('[which]', 'ID of a delivery or an event, ended, or last (default)', 'last')
    .addOption(new Option('--json', 'print a line of JSON for each attempt'))
    .addHelpText('after', EXAMPLES)
    .action(async (which: string) => {
      const { json } = command.opts<{ readonly json?: true }>();
      process.exitCode = await showRedelivery(which, json === true, openScreen());
    });
}

async function showRedelivery(which: string, isJson: boolean, screen: Screen): Promise<number> {
  const server = await runningControl('Start one with hookproof serve --forward-to URL.');
  const { id } = await server.control<{ id: string }>('GET', '/world');
  const isOfMany = (await endpointsOf(server.control, id)).length > 1;
  const report = isJson ? null : attemptReport({ screen, isOfMany });
  const made = await redeliver(which, server, (attempt) => {
    if (report === null) screen.print(JSON.stringify(attemptJson(attempt)));
    else report.show(attempt);
  });
  report?.end();
  if (!isJson) for (const line of resultLines(made, screen)) screen.print(line);
  return made.every(isRepeated) ? 0 : 1;
}

type Made = AttemptRow | undefined;

function isRepeated(attempt: Made): boolean {
  return attempt !== undefined && isAccepted(attempt);
}

/** Returns how many deliveries got what. */
function resultLines(made: readonly Made[], { paint }: Screen): string[] {
  const counts = new Map<string, number>();
  for (const attempt of made) {
    const outcome = outcomeOf(attempt);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const noun = made.length === 1 ? 'delivery' : 'deliveries';
  const list = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  const isGood = made.every(isRepeated);
  const failed = made.find((attempt) => attempt !== undefined && !isAccepted(attempt));
  return [
    (isGood ? paint.green : paint.red)(`${made.length} ${noun} sent again: ${list}.`),
    ...(failed === undefined ? [] : [`More: hookproof explain --delivery ${failed.deliveryId}`]),
  ];
}

function outcomeOf(attempt: Made): string {
  if (attempt === undefined) return 'had no response within 15 s';
  const [said] = saidPart(attempt);
  if (isAccepted(attempt)) return `got ${attempt.status}${said === undefined ? '' : ` (${said})`}`;
  return `got ${failureOf(attempt)}`;
}
