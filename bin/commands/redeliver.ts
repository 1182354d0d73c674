import type { AttemptRow, Delivery } from '@hookproof/spec/control';
import { Option } from 'commander';
import type { Command } from 'commander';

import { applyConfigFile } from '../command-line/config-file.ts';
import { UsageError } from '../command-line/errors.ts';
import { openScreen } from '../command-line/screen.ts';
import type { Screen } from '../command-line/screen.ts';
import { attemptJson, attemptLine, explanationLines, isAccepted } from '../running/attempt-line.ts';
import { runningControl } from '../running/running-control.ts';
import type { RunningControl } from '../running/running-control.ts';
import { watchAttempts } from '../running/watch-attempts.ts';

const EXAMPLES = `
Exit codes:
  0 the app responded 2xx   1 it did not, within 15 s   2 usage

Examples:
  $ hookproof redeliver                              the last delivery
  $ hookproof redeliver dlv_0f1a...                  a delivery
  $ hookproof redeliver whev_0f1a...                 an event, to each of its endpoints
  $ hookproof redeliver ended                        every delivery that ended without a 2xx
  $ hookproof redeliver last --json                  a line of JSON for each attempt`;

/** What can be repeated without an ID. */
const QUERIES: ReadonlyMap<string, string> = new Map([
  ['last', 'order=newest&limit=1'],
  ['ended', 'status=ended'],
]);
/** An attempt has a deadline of 10 s. */
const WAIT_MILLISECONDS = 15_000;

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
      process.exitCode = await redeliver(which, json === true, openScreen());
    });
}

async function redeliver(which: string, isJson: boolean, screen: Screen): Promise<number> {
  const server = await runningControl('Start one with hookproof serve --forward-to URL.');
  const ids = (await deliveriesOf(which, server)).map(({ id }) => id);
  const show = (attempt: AttemptRow): void => {
    if (isJson) return screen.print(JSON.stringify(attemptJson(attempt)));
    screen.printWords(attempt.deliveryId + attemptLine(attempt, screen.paint), 4);
    for (const line of explanationLines(attempt)) {
      screen.printWords(`    ${screen.paint.dim(line)}`, 4);
    }
  };
  const watched = await watchAttempts(server, show);
  try {
    watched.add(ids);
    for (const id of ids) await server.control('POST', `/deliveries/${id}/redeliver`, {});
    const manual = (id: string) => watched.of(id).find(({ trigger }) => trigger === 'manual');
    const areMade = (): boolean => ids.every((id) => manual(id) !== undefined);
    await watched.until(areMade, WAIT_MILLISECONDS);
    const made = ids.map(manual);
    return made.every((one) => one !== undefined && isAccepted(one)) ? 0 : 1;
  } finally {
    watched.close();
  }
}

async function deliveriesOf(which: string, { control }: RunningControl): Promise<Delivery[]> {
  const list = async (query: string) =>
    (await control<{ data: Delivery[] }>('GET', `/deliveries?${query}`)).data;
  if (which.startsWith('dlv_')) {
    return [await control<Delivery>('GET', `/deliveries/${encodeURIComponent(which)}`)];
  }
  const isEvent = which.startsWith('whev_');
  const query = isEvent ? `eventId=${encodeURIComponent(which)}` : QUERIES.get(which);
  if (query === undefined) {
    throw new UsageError(
      `redeliver must be followed by last, ended, or the ID of a delivery (dlv_…) or event (whev_…), got ${which}.`,
    );
  }
  const found = await list(query);
  if (found.length > 0) return found;
  throw new UsageError(
    isEvent
      ? `The server has no delivery of event ${which}. Copy an id from a line of hookproof trigger --json.`
      : `The server needs a delivery for ${which}, got none. Make one with hookproof trigger.`,
  );
}
