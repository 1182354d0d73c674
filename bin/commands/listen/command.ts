import { once } from 'node:events';

import { Option } from 'commander';
import type { Command } from 'commander';

import {
  folder,
  hostName,
  integer,
  targetUrl,
  webhookSecrets,
} from '../../command-line/arguments.ts';
import { explainStart, refusedPort } from '../../command-line/errors.ts';
import { isInForeground } from '../../command-line/keys.ts';
import { openScreen } from '../../command-line/screen.ts';
import { stopSignal } from '../../command-line/stop-signal.ts';
import { portHolder } from '../../running/find-server.ts';
import { readControls } from './controls.ts';
import { listenOutput } from './output.ts';
import { openPort } from './port.ts';
import { openSavedFolders } from './saved-folders.ts';
import { Session } from './session.ts';
import { judgeBy } from './verdict.ts';

const EXAMPLES = `
Point a tunnel to this port, and register the URL of the tunnel as the endpoint.
With --forward-to the platform gets the response of your app; if the app cannot
be reached it gets 502, which it tries again. Without --forward-to it gets 204,
or, with a secret, 401 to a wrong signature (not tried again) and 425 to a time
that is out of the tolerance.

Keys on a terminal, or lines on standard input: r redeliver, d details, c curl
line, q quit. Without a number the newest delivery is meant. Type 3r on a
terminal, and "r 3" or "r whev_1" in a pipe.

Examples:
  $ hookproof listen                    deliveries at port 4242, not verified
  $ hookproof listen --secret whsec_... --forward-to http://localhost:3000/hooks
  $ hookproof listen --forward-to http://localhost:3000/ --save ./deliveries
  $ hookproof listen --respond 503      makes the platform try again
  $ hookproof listen --port 0 --json    for scripts`;

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly secret?: readonly string[];
  readonly forwardTo?: string;
  readonly respond?: number;
  readonly save?: string;
  readonly json?: true;
}

/** Adds `hookproof listen`, which shows the deliveries of a real platform and passes them to an app. */
export function addListen(program: Command): void {
  const command = program
    .command('listen')
    .description('Receives the webhooks of a real platform, and forwards them to your app.')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      await listen(command.opts<ListenOptions>());
    });
  for (const option of listenOptions()) command.addOption(option);
}

function listenOptions(): Option[] {
  return [
    new Option('--port <number>', 'port (default: 4242); 0 picks a free one')
      .default(4242)
      .argParser(integer(0, 65_535)),
    new Option('--host <address>', 'address to listen at (default: 127.0.0.1)')
      .default('127.0.0.1')
      .argParser(hostName),
    new Option('--secret <secret>', 'secret of the endpoint, or WEBHOOK_SECRET; repeatable')
      .env('WEBHOOK_SECRET')
      .argParser(webhookSecrets),
    new Option('--forward-to <url>', 'URL of your app').argParser(targetUrl),
    new Option('--respond <status>', 'status of each response without an app')
      .argParser(integer(200, 599))
      .conflicts('forwardTo'),
    new Option('--save <folder>', 'write each delivery into a folder of this folder').argParser(
      folder,
    ),
    new Option('--json', 'print a line of JSON when ready, and for each delivery'),
  ];
}

async function listen(options: ListenOptions): Promise<void> {
  const { secret = [], forwardTo, respond, save } = options;
  const stopped = stopSignal();
  const screen = openScreen();
  const output = listenOutput(options.json === true, screen);
  const saved = save === undefined ? null : openSavedFolders(save);
  const session = new Session({ judge: judgeBy(secret), forwardTo, respond, saved, output });
  const port = await openPort({
    ...options,
    receive: (delivery) => session.receive(delivery),
    ignored: output.ignored,
  }).catch(async (error: unknown) => {
    const refused = refusedPort(error);
    const holder = refused === null ? undefined : await portHolder(refused, process.env);
    throw explainStart(error, options, holder);
  });
  const quit = new AbortController();
  const { stdin } = process;
  const hasKeys = stdin.isTTY && isInForeground();
  const problem = await session.findApp();
  const ready = {
    url: port.url,
    forwardTo,
    respond,
    secrets: secret.length,
    save,
    hasKeys,
  };
  const url = forwardTo ?? port.url;
  // In the background, reading the terminal would stop the program.
  const isDeaf = stdin.isTTY && !hasKeys;
  const controls = {
    input: stdin,
    session,
    url,
    hasApp: forwardTo !== undefined,
    print: output.note,
    stop: () => quit.abort(),
  };
  const endControls = isDeaf ? () => {} : readControls(controls);
  // A key that is typed as soon as the keys are shown must not wait for the end of a line.
  output.ready(ready, problem);
  await Promise.race([stopped, once(quit.signal, 'abort')]);
  endControls();
  session.close();
  await port.close();
}
