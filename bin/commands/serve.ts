import { createServer, realClock, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, ServerOptions } from '@hookproof/server-reference';
import type { Command } from 'commander';

import { applyConfigFile } from '../command-line/config-file.ts';
import { explainStart, UsageError } from '../command-line/errors.ts';
import { openScreen } from '../command-line/screen.ts';
import type { Screen } from '../command-line/screen.ts';
import { serveOptions } from './serve-options.ts';
import type { ServeOptions } from './serve-options.ts';

const EXAMPLES = `
Examples:
  $ hookproof serve                                  state in memory, port 4010
  $ hookproof serve --data ./platform --port 4100    state in a folder
  $ hookproof serve --port 0 --json                  for scripts: one line with URLs and keys
  $ hookproof serve --clock virtual                  time moves only when you advance it
  $ hookproof serve --clock virtual --now 2026-07-01T00:00:00Z
                                                     the same requests get the same bytes
  $ hookproof serve --app-port 4011                  /api/v1 on a separate port
  $ hookproof serve --rate-limit 100/60              429 after 100 requests of a key in a minute
  $ hookproof serve --redirect-above 1048576         signed URLs for downloads above 1 MiB`;

/** Adds `hookproof serve`, which runs the reference server until a signal stops it. */
export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description(
      'Runs the reference server: the API, its webhook sender and the control interface.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      applyConfigFile(command);
      await serve(command.opts<ServeOptions>(), openScreen());
    });
  for (const option of serveOptions()) command.addOption(option);
}

async function serve(options: ServeOptions, screen: Screen): Promise<void> {
  const settings = serverOptions(options);
  const stopped = stopSignal();
  const server = await createServer(settings).catch((error: unknown) => {
    throw explainStart(error, options);
  });
  if (options.json) screen.print(JSON.stringify(readyLine(server)));
  else for (const line of welcome(server, options, screen)) screen.print(line);
  await stopped;
  await server.close();
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

function serverOptions(options: ServeOptions): ServerOptions {
  const { port, appPort, seed, retryProfile, clock, now, data } = options;
  if (appPort !== undefined && appPort !== 0 && appPort === port) {
    throw new UsageError(
      `--app-port must differ from --port, got ${appPort} for both. Leave --app-port out to share one port.`,
    );
  }
  if (now !== undefined && clock === 'real') {
    throw new UsageError(
      '--now needs --clock virtual, got --clock real. Add it, or leave --now out.',
    );
  }
  return {
    port,
    appPort: appPort ?? null,
    seed,
    retryProfile,
    rateLimit: options.rateLimit ?? null,
    store: data === undefined ? { kind: 'memory' } : { kind: 'folder', path: data },
    clock: clock === 'virtual' ? virtualClock({ now: now ?? Date.now() }) : realClock(),
    ...givenLimits(options),
  };
}

/** The limits that were given; the server has defaults for the others. */
function givenLimits(options: ServeOptions): Partial<ServerOptions> {
  const { bodyLimit, uploadLimit, redirectAbove, signedUrlSeconds } = options;
  return {
    ...(bodyLimit === undefined ? {} : { bodyLimitBytes: bodyLimit }),
    ...(uploadLimit === undefined ? {} : { uploadLimitBytes: uploadLimit }),
    ...(redirectAbove === undefined ? {} : { redirectAboveBytes: redirectAbove }),
    ...(signedUrlSeconds === undefined ? {} : { signedUrlSeconds }),
  };
}

/** The line that `serve --json` prints: everything that a script needs to use the server. */
function readyLine(server: ReferenceServer): Record<string, unknown> {
  const { baseUrl, appUrl, controlUrl, controlToken, world } = server;
  const { id: worldId, keys, fixtures } = world;
  return { baseUrl, appUrl, controlUrl, controlToken, worldId, keys, fixtures };
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
    dim(`  State is kept in ${options.data ?? 'memory, and lost when the server stops'}.`),
    '',
    '  Try:',
    `  curl -H 'Authorization: Bearer ${keys.wildcard}' ${server.baseUrl}/v1/auth/check`,
    `  npx hookproof check --base-url ${server.baseUrl} --app-url ${server.appUrl} \\`,
    `    --key ${keys.wildcard} \\`,
    `    --control-url ${server.controlUrl} --control-token ${server.controlToken}`,
    '',
    dim('  Press Ctrl-C to stop.'),
  ];
}
