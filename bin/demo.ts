import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { outcomeExitCode, renderHtml, renderJson, renderTerminal } from '@hookproof/conformance';
import { runConformance } from '@hookproof/conformance';
import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { Option } from 'commander';
import type { Command } from 'commander';

import { applyConfigFile } from './config-file.ts';
import { openBadNetwork } from './demo/bad-network.ts';
import { startConsumer } from './demo/consumer.ts';
import type { Consumer } from './demo/consumer.ts';
import { openControl } from './demo/control.ts';
import { prepareFolder } from './demo/folder.ts';
import { playStory } from './demo/story.ts';
import { arrivalTable, handledTable } from './demo/tables.ts';
import { openScreen } from './screen.ts';
import type { Screen } from './screen.ts';

/** `hookproof demo`: the main job once, from the first run to the report. */
export function addDemo(program: Command): void {
  const command = program.command('demo');
  command
    .description('Show the main job once: serve, deliver over a bad network, receive, judge.')
    .addOption(
      new Option(
        '--out <folder>',
        'everything it writes goes here; an earlier demo is replaced',
      ).default('hookproof-demo'),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ hookproof demo                    writes hookproof-demo/report.html
  $ hookproof demo --out /tmp/demo    writes somewhere else`,
    )
    .action(async () => {
      applyConfigFile(command);
      process.exitCode = await demo(resolve(command.opts<{ out: string }>().out), openScreen());
    });
}

async function demo(folder: string, screen: Screen): Promise<number> {
  const { bold, dim } = screen.paint;
  prepareFolder(folder);

  const server = await createServer({ store: { kind: 'memory' } });
  const network = await openBadNetwork();
  const control = openControl(server.controlUrl, server.controlToken);
  const endpoint = await control.createEndpoint(network.url);
  const consumer = await startConsumer(endpoint.secret, join(folder, 'consumer.db'));
  network.connect(consumer.url);
  try {
    screen.print(bold('1  A server, a consumer, and a bad network between them'));
    screen.print(`   server    ${server.baseUrl}  ${dim('the reference API with its sender')}`);
    screen.print(
      `   consumer  ${consumer.url}  ${dim('a small app with the receiver and SQLite')}`,
    );
    screen.print(
      `   network   ${network.url}  ${dim('refuses some deliveries, loses some answers')}`,
    );

    const { workflowId, agentId } = server.world.fixtures;
    const names = await playStory(control, { workflow: workflowId, agent: agentId });
    await consumer.until(
      (lines) => lines.filter((line) => line.settled !== undefined).length === names.size,
    );
    await control.allDelivered(endpoint.id);
    await control.deleteEndpoint(endpoint.id);

    screen.print('');
    screen.print(bold('2  What came over the network, in the order of arrival'));
    for (const line of arrivalTable(network.crossings, consumer.lines, names, screen)) {
      screen.print(line);
    }
    screen.print('');
    screen.print(bold('3  What the consumer handled: each event once, each run in order'));
    for (const line of handledTable(consumer.lines, names, screen)) screen.print(line);

    screen.print('');
    screen.print(bold('4  The suite judges the API, the sender and the receiver'));
    return await judge(server, consumer, endpoint.secret, folder, screen);
  } finally {
    await consumer.close();
    await network.close();
    await server.close();
  }
}

async function judge(
  server: ReferenceServer,
  consumer: Consumer,
  secret: string,
  folder: string,
  screen: Screen,
): Promise<number> {
  const report = await runConformance({
    baseUrl: server.baseUrl,
    appUrl: server.appUrl,
    key: server.world.keys.wildcard,
    control: { url: server.controlUrl, token: server.controlToken },
    sender: true,
    receiver: { url: consumer.url, secret, observerUrl: `${consumer.url}/observer` },
    allowWrites: true,
    allowDeletes: true,
    rejections: process,
    onProgress: ({ done, total, check }) => screen.progress(`   ${done}/${total}  ${check}`),
  });
  writeFileSync(join(folder, 'report.html'), renderHtml(report));
  writeFileSync(join(folder, 'report.json'), renderJson(report));
  screen.print(renderTerminal(report, { color: screen.color }));
  screen.print(`   HTML report: ${join(folder, 'report.html')}`);
  return outcomeExitCode(report);
}
