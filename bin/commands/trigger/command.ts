import type { Delivery, Event, WebhookEndpoint } from '@hookproof/spec/control';
import type { RunSnapshot } from '@hookproof/spec';
import { Argument, Option } from 'commander';
import type { Command } from 'commander';

import { applyConfigFile } from '../../command-line/config-file.ts';
import { UsageError } from '../../command-line/errors.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { controlCalls } from '../../running/control-calls.ts';
import type { ControlCall } from '../../running/control-calls.ts';
import { findServer } from '../../running/find-server.ts';
import { OUTPUT, SCENARIOS } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';

const EXAMPLES = `
Exit codes:
  0 every event was accepted   1 an event was not accepted within 10 s   2 usage

Examples:
  $ hookproof serve --forward-to http://localhost:3000/
  $ hookproof trigger                                a workflow run that succeeds, in another terminal
  $ hookproof trigger failed
  $ hookproof trigger --list                         all scenarios`;

/** For the first attempts of all events; retries continue on the server. */
const WAIT_MILLISECONDS = 10_000;

/** Adds `hookproof trigger`, which sends the events of a run through the running server. */
export function addTrigger(program: Command): void {
  const names = SCENARIOS.map(({ name }) => name);
  const command = program
    .command('trigger')
    .description('Sends the events of a run through the running server to its webhook endpoints.')
    .addArgument(new Argument('[scenario]', 'what happens to the run').choices(names))
    .addOption(new Option('--list', 'list all scenarios'))
    .addHelpText('after', EXAMPLES)
    .action(async (name: string = 'completed') => {
      applyConfigFile(command);
      const screen = openScreen();
      const scenario = SCENARIOS.find((one) => one.name === name);
      if (command.opts<{ readonly list?: true }>().list === true || scenario === undefined) {
        for (const one of SCENARIOS) screen.print(`${one.name.padEnd(12)}${one.does}`);
      } else process.exitCode = await trigger(scenario, screen);
    });
}

async function trigger(scenario: Scenario, screen: Screen): Promise<number> {
  const server = await findServer(process.env['HOOKPROOF_STATE_FILE'] || undefined, process.env);
  if (server === null) {
    throw new UsageError(
      'The command needs a running server, got none. Start one with hookproof serve --forward-to URL.',
    );
  }
  const control = controlCalls(
    server,
    ({ field, message }) => new UsageError(`The server refused the run: ${field} ${message}.`),
  );
  const { data: endpoints } = await control<{ data: WebhookEndpoint[] }>(
    'GET',
    '/webhook-endpoints',
  );
  if (!endpoints.some(({ enabled }) => enabled)) {
    throw new UsageError(
      `The server at ${server.baseUrl} needs an enabled webhook endpoint, got none. Start it with hookproof serve --forward-to URL.`,
    );
  }
  const run = await makeRun(scenario, control);
  screen.print(`run ${run.id}  ${scenario.does}`);
  const deliveries = await settled(run.id, control);
  const events = await control<{ data: Event[] }>('GET', `/events?runId=${run.id}`);
  for (const delivery of deliveries) screen.print(lineOf(delivery, events.data, endpoints));
  return deliveries.every(({ status }) => status === 'delivered') ? 0 : 1;
}

async function makeRun(
  { automation, statuses: [first, ...moves] }: Scenario,
  control: ControlCall,
): Promise<RunSnapshot> {
  const { fixtures } = await control<{ fixtures: Record<string, string> }>('GET', '/world');
  const automationId = fixtures[`${automation}Id`];
  let run = await control<RunSnapshot>('POST', '/runs', { automationId, status: first });
  for (const status of moves) {
    const output = status === 'completed' ? { output: OUTPUT } : {};
    run = await control<RunSnapshot>('POST', `/runs/${run.id}/moves`, { status, ...output });
  }
  return run;
}

/** Waits until no delivery is pending, or for a time. */
async function settled(runId: string, control: ControlCall): Promise<readonly Delivery[]> {
  const wait = { for: 'deliveries', runId, timeoutMilliseconds: WAIT_MILLISECONDS };
  const { data } = await control<{ data: Delivery[] }>('POST', '/wait', wait).catch(() =>
    control<{ data: Delivery[] }>('GET', `/deliveries?runId=${runId}`),
  );
  return data;
}

function lineOf(
  { eventId, endpointId, type, status, attempts }: Delivery,
  events: readonly Event[],
  endpoints: readonly WebhookEndpoint[],
): string {
  const last = attempts.at(-1);
  const { data }: { data: { run: RunSnapshot } } = JSON.parse(
    events.find(({ id }) => id === eventId)?.payload ?? '{"data":{"run":{}}}',
  );
  const url = endpoints.find(({ id }) => id === endpointId)?.url ?? endpointId;
  const result = last === undefined ? 'not sent yet' : String(last.status ?? last.error);
  const tries = attempts.length > 1 ? [`${attempts.length} attempts`] : [];
  return [`  ${type} ${data.run.status}`, url, result, status, ...tries].join('  ');
}
