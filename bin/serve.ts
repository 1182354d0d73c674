import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer, RetryProfileName, ServerOptions } from '@hookproof/server-reference';
import { realClock, virtualClock } from '@hookproof/server-reference';
import { Option } from 'commander';
import type { Command } from 'commander';

import { rate, utcTime, wholeNumber } from './arguments.ts';
import type { Rate } from './arguments.ts';
import { applyConfigFile } from './config-file.ts';
import { openScreen } from './screen.ts';
import type { Screen } from './screen.ts';
import { explainStart } from './start-error.ts';
import { stopSignal } from './stop-signal.ts';
import { UsageError } from './usage-error.ts';

interface ServeOptions {
  readonly port: number;
  readonly appPort?: number;
  readonly data?: string;
  readonly memory?: true;
  readonly seed: number;
  readonly clock: 'real' | 'virtual';
  readonly now?: number;
  readonly retryProfile: RetryProfileName;
  readonly rateLimit?: Rate;
  readonly bodyLimit?: number;
  readonly uploadLimit?: number;
  readonly redirectAbove?: number;
  readonly signedUrlSeconds?: number;
  readonly json?: true;
}

/** As many as {@link wholeNumber} reads. */
const MOST_BYTES = 999_999_999_999_999;

/** `hookproof serve`: the reference server until it is told to stop. */
export function addServe(program: Command): void {
  const command = program.command('serve');
  command
    .description('Run the reference server: the API, its webhook sender and the control interface.')
    .addOption(
      new Option('--port <number>', 'port on 127.0.0.1; 0 picks a free one')
        .env('HOOKPROOF_PORT')
        .default(4010)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--data <folder>', 'keep everything in this folder, across restarts')
        .env('HOOKPROOF_DATA')
        .conflicts('memory'),
    )
    .addOption(new Option('--memory', 'keep nothing (what happens without --data)'))
    .addOption(
      new Option('--app-port <number>', 'a port of its own for the app address, /api/v1')
        .env('HOOKPROOF_APP_PORT')
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--seed <number>', 'the seeded world: same seed, same ids and keys')
        .env('HOOKPROOF_SEED')
        .default(1)
        .argParser(wholeNumber(0, 4_294_967_295)),
    )
    .addOption(
      new Option('--clock <kind>', 'virtual stands still until the control interface advances it')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .addOption(
      new Option(
        '--now <time>',
        'where a virtual clock begins (default: the time of the machine)',
      ).argParser(utcTime),
    )
    .addOption(
      new Option('--retry-profile <name>', 'how soon failed deliveries are sent again')
        .choices(['real', 'fast', 'instant'])
        .default('fast'),
    )
    .addOption(
      new Option(
        '--rate-limit <requests/seconds>',
        'so many requests of one key in so many seconds; more are answered 429',
      ).argParser(rate),
    )
    .addOption(
      new Option('--body-limit <bytes>', 'a larger request body is answered 413').argParser(
        wholeNumber(0, MOST_BYTES),
      ),
    )
    .addOption(
      new Option('--upload-limit <bytes>', 'a larger uploaded file is answered 413').argParser(
        wholeNumber(0, MOST_BYTES),
      ),
    )
    .addOption(
      new Option(
        '--redirect-above <bytes>',
        'redirect larger downloads and exports to a signed address',
      ).argParser(wholeNumber(0, MOST_BYTES)),
    )
    .addOption(
      new Option(
        '--signed-url-seconds <number>',
        'how long a signed address is good for',
      ).argParser(wholeNumber(0, 86_400)),
    )
    .addOption(new Option('--json', 'print one line of JSON when ready, nothing else'))
    .addHelpText(
      'after',
      `
Examples:
  $ hookproof serve                                  in memory, port 4010
  $ hookproof serve --data ./platform --port 4100    kept in a folder
  $ hookproof serve --port 0 --json                  for scripts: one line with addresses and keys
  $ hookproof serve --clock virtual                  time moves only when you say so
  $ hookproof serve --clock virtual --now 2026-07-01T00:00:00Z
                                                     the same script gives the same bytes
  $ hookproof serve --app-port 4011                  /api/v1 on a port of its own
  $ hookproof serve --rate-limit 100/60              429 after 100 requests of a key in a minute
  $ hookproof serve --redirect-above 1048576         larger downloads come from a signed address`,
    )
    .action(async () => {
      applyConfigFile(command);
      await serve(command.opts<ServeOptions>(), openScreen());
    });
}

async function serve(options: ServeOptions, screen: Screen): Promise<void> {
  if (options.appPort !== undefined && options.appPort !== 0 && options.appPort === options.port) {
    throw new UsageError(
      `--app-port ${options.appPort} is also --port: leave it out to share one, or give another.`,
    );
  }
  if (options.now !== undefined && options.clock === 'real') {
    throw new UsageError('--now is for a virtual clock: add --clock virtual, or leave it out.');
  }
  const stopped = stopSignal();
  const server = await createServer({
    port: options.port,
    appPort: options.appPort ?? null,
    seed: options.seed,
    retryProfile: options.retryProfile,
    rateLimit: options.rateLimit ?? null,
    ...limitsOf(options),
    store: options.data === undefined ? { kind: 'memory' } : { kind: 'folder', path: options.data },
    clock:
      options.clock === 'virtual' ? virtualClock({ now: options.now ?? Date.now() }) : realClock(),
  }).catch((error: unknown) => {
    throw explainStart(error, options);
  });
  if (options.json) screen.print(JSON.stringify(readyLine(server)));
  else for (const line of welcome(server, options, screen)) screen.print(line);
  await stopped;
  await server.close();
}

/** Those that were given; the server knows the others. */
function limitsOf(options: ServeOptions): Partial<ServerOptions> {
  const { bodyLimit, uploadLimit, redirectAbove, signedUrlSeconds } = options;
  return {
    ...(bodyLimit === undefined ? {} : { bodyLimitBytes: bodyLimit }),
    ...(uploadLimit === undefined ? {} : { uploadLimitBytes: uploadLimit }),
    ...(redirectAbove === undefined ? {} : { redirectAboveBytes: redirectAbove }),
    ...(signedUrlSeconds === undefined ? {} : { signedUrlSeconds }),
  };
}

/** What a script needs in order to use the server: the shape of `serve --json`. */
function readyLine(server: ReferenceServer): Record<string, unknown> {
  const { baseUrl, appUrl, controlUrl, controlToken, world } = server;
  return {
    baseUrl,
    appUrl,
    controlUrl,
    controlToken,
    worldId: world.id,
    keys: world.keys,
    fixtures: world.fixtures,
  };
}

function welcome(server: ReferenceServer, options: ServeOptions, screen: Screen): string[] {
  const { bold, dim, cyan } = screen.paint;
  const { keys } = server.world;
  const row = (name: string, value: string): string => `  ${name.padEnd(18)}${cyan(value)}`;
  return [
    bold('Hookproof reference server'),
    row('API', `${server.baseUrl}/v1`),
    row('app address', `${server.appUrl}/api/v1`),
    row('control', server.controlUrl),
    row('control token', server.controlToken),
    '',
    ...Object.entries(keys).map(([name, key]) => row(`key ${name}`, key)),
    '',
    dim(options.data === undefined ? '  In memory: gone when it stops.' : `  In ${options.data}.`),
    '',
    '  Try:',
    `  curl -H 'Authorization: Bearer ${keys.wildcard}' ${server.baseUrl}/v1/auth/check`,
    `  npx hookproof check --base-url ${server.baseUrl} --app-url ${server.appUrl} \\`,
    `    --key ${keys.wildcard} \\`,
    `    --control-url ${server.controlUrl} --control-token ${server.controlToken}`,
    '',
    dim('  Ctrl-C stops it.'),
  ];
}
