import { join, resolve } from 'node:path';
import { outcomeExitCode, renderTerminal, runConformance } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { Option } from 'commander';
import type { Command } from 'commander';

import { openScreen } from '../command-line/screen.ts';
import type { Screen } from '../command-line/screen.ts';
import { openUnreliableNetwork } from '../demo/unreliable-network.ts';
import { startConsumer } from '../demo/consumer.ts';
import type { Consumer } from '../demo/consumer.ts';
import { prepareFolder, REPORT, writeReports } from '../demo/output.ts';
import { openControl, simulateRuns } from '../demo/runs.ts';
import { arrivalTable, handledTable } from '../demo/tables.ts';

const EXAMPLES = `
The network between the server and the receiver refuses deliveries and loses
responses. The output replaces that of an earlier demo.

Examples:
  $ hookproof demo                    writes hookproof-demo/report.html
  $ hookproof demo --out /tmp/demo    writes to another folder`;

/** Adds `hookproof demo`, which runs server, sender, receiver and suite once and writes a report. */
export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .description('Runs everything once: serves, delivers, receives, checks.')
    .addOption(
      new Option('--out <folder>', 'folder of its output (default: hookproof-demo)').default(
        'hookproof-demo',
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      process.exitCode = await demo(command.opts<{ out: string }>().out, openScreen());
    });
}

async function demo(out: string, screen: Screen): Promise<number> {
  prepareFolder(out);
  const folder = resolve(out);
  // In memory, because a data folder writes each commit. On a virtual clock, because a real one waits for each retry.
  const opened: { close(): Promise<void> }[] = [];
  try {
    const server = await createServer({
      store: { kind: 'memory' },
      clock: virtualClock({ now: Date.now() }),
    });
    opened.push(server);
    const network = await openUnreliableNetwork();
    opened.push(network);
    const control = openControl(server.controlUrl, server.controlToken);
    const endpoint = await control.createEndpoint(network.url);
    const consumer = await startConsumer(endpoint.secret);
    opened.push(consumer);
    network.connect(consumer.url);
    printAddresses(server, consumer, network, screen);
    const { workflowId, agentId } = server.world.fixtures;
    const names = await simulateRuns(control, { workflow: workflowId, agent: agentId });
    await consumer.until(
      (lines) => lines.filter((line) => line.settled !== undefined).length === names.size,
    );
    await control.deleteEndpoint(endpoint.id);

    printPart(
      screen,
      '2  What crossed the network, in order of arrival; what got no 2xx is sent again',
      [...arrivalTable(network.arrivals, consumer.lines, names, screen)],
    );
    printPart(screen, '3  What the consumer handled: each event once, each run in order', [
      ...handledTable(consumer.lines, names, screen),
    ]);
    printPart(screen, '4  The suite checks the API, the sender and the receiver', []);
    const report = await check(server, consumer, endpoint.secret, screen);
    const columns = Math.min(screen.columns, 80);
    screen.print(renderTerminal(report, { color: screen.color, columns }));
    writeReports(folder, report);
    screen.print(`Report: ${join(out, REPORT)}`);
    screen.print(`Next:   npx hookproof serve --forward-to http://localhost:3000/`);
    return outcomeExitCode(report);
  } finally {
    for (const one of opened.toReversed()) await one.close();
  }
}

function printAddresses(
  server: ReferenceServer,
  consumer: Consumer,
  network: { readonly url: string },
  screen: Screen,
): void {
  const { bold, dim } = screen.paint;
  screen.print(bold('1  A server, a consumer, and an unreliable network between them'));
  screen.print(`   server    ${server.baseUrl}  ${dim('the reference API with its sender')}`);
  screen.print(`   consumer  ${consumer.url}  ${dim('a small app with the receiver')}`);
  screen.print(`   network   ${network.url}  ${dim('refuses deliveries, loses responses')}`);
}

function printPart(screen: Screen, title: string, lines: readonly string[]): void {
  screen.print('');
  screen.print(screen.paint.bold(title));
  for (const line of lines) screen.print(line);
}

function check(
  server: ReferenceServer,
  consumer: Consumer,
  secret: string,
  screen: Screen,
): Promise<Report> {
  return runConformance({
    baseUrl: server.baseUrl,
    appUrl: server.appUrl,
    key: server.world.keys.wildcard,
    control: { url: server.controlUrl, token: server.controlToken },
    sender: true,
    receiver: { url: consumer.url, secret, observerUrl: `${consumer.url}/observer` },
    allowWrites: true,
    allowDeletes: true,
    rejections: process,
    onProgress: ({ done, total, check: id }) => screen.progress(`   ${done}/${total}  ${id}`),
  });
}
