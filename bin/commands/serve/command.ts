import { realpathSync } from 'node:fs';
import { join } from 'node:path';

import { createServer, realClock, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, ServerOptions } from '@hookproof/server-reference';
import type { Command } from 'commander';

import { codeOf, explainStart, refusedPort, UsageError } from '../../command-line/errors.ts';
import { isInForeground } from '../../command-line/keys.ts';
import { readJsonObject } from '../../command-line/json-file.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { stopSignal } from '../../command-line/stop-signal.ts';
import { connectionProblem } from '../../running/connection-problem.ts';
import { folderHolder, portHolder } from '../../running/find-server.ts';
import { serversFolder, writeServerFile } from '../../running/server-file.ts';
import { activityLog } from './activity-lines.ts';
import type { ActivityLog } from './activity-lines.ts';
import { enabledEndpoints, forwardTo, requireEnvFile, writeEnvFile } from './forward.ts';
import type { Forwarding } from './forward.ts';
import { listenToKeys } from './keys.ts';
import { openBrowser } from './open-browser.ts';
import { serveOptions } from './options.ts';
import type { ServeOptions } from './options.ts';
import { details, readyLine, welcome } from './welcome.ts';

const EXAMPLES = `
For few: --host --app-port --allow-host --cors --print-secret --state-file
  --seed --now --history-limit --rate-limit --body-limit --upload-limit
  --upload-transport --redirect-above --signed-url-seconds.
  server-reference/README.md explains each.

Examples:
  $ hookproof serve                     state in memory, port 4010
  $ hookproof serve --forward-to http://localhost:3000/ --write-env .env.local
  $ hookproof serve --data ./platform --port 4100
  $ hookproof serve --port 0 --json     for scripts: URLs and keys in one line
  $ hookproof serve --clock virtual     hookproof clock +1h advances it
  $ hookproof serve --defect retry-after-204      what does a failure look like?`;

/** Adds `hookproof serve`, which runs the reference server until a signal stops it. */
export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('Runs the reference server: API, webhook sender, control interface.')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      await serve(command.opts<ServeOptions>(), openScreen());
    });
  for (const option of serveOptions()) command.addOption(option);
}

interface Served {
  readonly server: ReferenceServer;
  readonly options: ServeOptions;
  readonly forwarding: Forwarding | null;
  readonly screen: Screen;
  /** Whether the terminal belongs to this process. */
  readonly hasTerminal: boolean;
  readonly stopped: Promise<void>;
}

async function serve(options: ServeOptions, screen: Screen): Promise<void> {
  if (options.listDefects) {
    const { defectLines } = await import('./defective.ts');
    for (const line of defectLines()) screen.print(line);
    return;
  }
  if (options.writeEnv !== undefined) requireEnvFile(options.writeEnv);
  const hasTerminal = isInForeground();
  const log = logOf(options, screen, hasTerminal);
  const onActivity: ServerOptions['onActivity'] = log && ((activity) => log.show(activity));
  const settings = { ...serverOptions(options), onActivity };
  const stopped = stopSignal();
  const server = await start(options, settings);
  let forget: (() => void) | null = null;
  try {
    const forwarding = await forward(server, options);
    if (options.printSecret === true) return screen.print(forwarding?.secret ?? '');
    forget = announceServer(server, options);
    if (options.open === true) openBrowser(server.dashboardUrl, screen);
    if (options.json === true) {
      screen.print(JSON.stringify(readyLine(server, forwarding)));
      await warnOfSilence(forwarding, screen);
      await stopped;
    } else await serveToPerson({ server, options, forwarding, screen, hasTerminal, stopped });
  } finally {
    forget?.();
    await server.close();
    // What happens while the server closes is counted too.
    log?.end();
  }
}

/** Shows what is served, and waits for the signal or the key that stops it. */
async function serveToPerson({
  server,
  options,
  forwarding,
  screen,
  hasTerminal,
  stopped,
}: Served): Promise<void> {
  const hasKeys = hasTerminal && process.stdin.isTTY && process.stdout.isTTY;
  const targets = await enabledEndpoints(server);
  const lines = details(server, forwarding, screen);
  // A key that is typed as soon as the keys are shown must not wait for the end of a line.
  const keys = hasKeys ? listenToKeys({ server, screen, details: lines }) : null;
  for (const line of welcome({ server, options, targets, screen, hasTerminal, hasKeys }))
    screen.print(line);
  if (options.verbose === true) for (const line of lines) screen.print(line);
  await warnOfSilence(forwarding, screen);
  if (keys === null) return stopped;
  await Promise.race([stopped, keys.quit]);
  keys.end();
}

function start(options: ServeOptions, settings: ServerOptions): Promise<ReferenceServer> {
  const { defect } = options;
  const starting = defect === undefined ? createServer(settings) : defective(defect, settings);
  return starting.catch(async (error: unknown) => {
    const { data } = options;
    const isLocked = data !== undefined && codeOf(error) === 'store_locked';
    const user = isLocked ? await folderHolder(data, process.env) : null;
    if (user !== null) {
      throw new UsageError(
        `The data folder ${data} is in use by ${user}. Stop that server, or use another folder.`,
      );
    }
    const { world } = options;
    // The contents of the world are read by the server; the other options are checked where they are parsed.
    if (world !== undefined && error instanceof TypeError && error.message.startsWith('world')) {
      throw new UsageError(`--world ${world}: ${error.message.replaceAll(/\bworld\./g, '')}`);
    }
    const port = refusedPort(error);
    throw explainStart(
      error,
      options,
      port === null ? undefined : await portHolder(port, process.env),
    );
  });
}

/** By default, requests and attempts are shown on a terminal that belongs to the server alone. */
function logOf(
  { log, quiet, json }: ServeOptions,
  screen: Screen,
  hasTerminal: boolean,
): ActivityLog | undefined {
  const isJson = json === true;
  const isShown = log === true || (hasTerminal && process.stdout.isTTY && !isJson);
  return quiet === true || !isShown ? undefined : activityLog(isJson, screen);
}

async function forward(server: ReferenceServer, options: ServeOptions): Promise<Forwarding | null> {
  const { forwardTo: urls = [], secret, writeEnv } = options;
  if (urls.length === 0) return null;
  const forwarding = await forwardTo(server, urls, secret);
  if (writeEnv !== undefined) writeEnvFile(writeEnv, forwarding.secret);
  return forwarding;
}

/** Writes the file through which other commands find this server. Returns a function that removes it. */
function announceServer(
  { baseUrl, appUrl, controlUrl, controlToken, world }: ReferenceServer,
  { stateFile, data }: ServeOptions,
): () => void {
  const { pid } = process;
  const file = stateFile || join(serversFolder(process.env), `${pid}.json`);
  const key = world.keys.wildcard;
  const startedAt = new Date().toISOString();
  const addresses = { baseUrl, appUrl, controlUrl, controlToken };
  const folder = data === undefined ? {} : { dataFolder: realpathSync(data) };
  const running = { pid, startedAt, ...addresses, key, ...folder };
  try {
    const remove = writeServerFile(file, running);
    process.once('exit', remove);
    return remove;
  } catch (error) {
    if (stateFile) throw error;
    // Without a folder for state, other commands need their options.
    return () => {};
  }
}

async function warnOfSilence(forwarding: Forwarding | null, screen: Screen): Promise<void> {
  for (const url of forwarding?.urls ?? []) {
    const problem = await connectionProblem(url);
    if (problem === null) continue;
    screen.log(
      `warning: nothing listens at ${url} (${problem}). Start your app; failed deliveries are retried.`,
    );
  }
}

/** The catalogue of defects is large: a server without one does not load it. */
async function defective(
  ids: readonly string[],
  settings: ServerOptions,
): Promise<ReferenceServer> {
  const { startDefective } = await import('./defective.ts');
  return startDefective(ids, settings);
}

function serverOptions(options: ServeOptions): ServerOptions {
  const { port, appPort, allowHost, seed, retryProfile, clock, now, data } = options;
  if (appPort !== undefined && appPort !== 0 && appPort === port) {
    throw new UsageError(
      `--app-port must differ from --port, got ${appPort} for both. Leave --app-port out to share one port.`,
    );
  }
  if (appPort !== undefined && options.defect !== undefined) {
    throw new UsageError('--defect and --app-port exclude each other. Leave --app-port out.');
  }
  if (now !== undefined && clock === 'real') {
    throw new UsageError(
      '--now requires --clock virtual, got --clock real. Add it, or leave --now out.',
    );
  }
  const needsApp = Object.entries({
    '--secret': options.secret,
    '--print-secret': options.printSecret,
    '--write-env': options.writeEnv,
  }).find(([, value]) => value !== undefined);
  if (needsApp !== undefined && options.forwardTo === undefined) {
    throw new UsageError(`${needsApp[0]} requires --forward-to. Add it with the URL of your app.`);
  }
  return {
    port: options.printSecret === true ? 0 : port,
    appPort: appPort ?? null,
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(seed === undefined ? {} : { seed }),
    ...(allowHost === undefined ? {} : { allowedHosts: allowHost }),
    ...(options.cors === undefined ? {} : { corsOrigins: options.cors }),
    retryProfile,
    rateLimit: options.rateLimit ?? null,
    store: data === undefined ? { kind: 'memory' } : { kind: 'folder', path: data },
    clock: clock === 'virtual' ? virtualClock({ now: now ?? Date.now() }) : realClock(),
    ...givenLimits(options),
  };
}

/** The limits that were given; the server has defaults for the others. */
function givenLimits(options: ServeOptions): Partial<ServerOptions> {
  const { bodyLimit, uploadLimit, uploadTransport, redirectAbove, signedUrlSeconds } = options;
  const { historyLimit, world } = options;
  return {
    ...(world === undefined ? {} : { world: readJsonObject(`--world ${world}`, world) }),
    ...(historyLimit === undefined ? {} : { historyLimit }),
    ...(bodyLimit === undefined ? {} : { bodyLimitBytes: bodyLimit }),
    ...(uploadLimit === undefined ? {} : { uploadLimitBytes: uploadLimit }),
    ...(uploadTransport === undefined ? {} : { uploadTransport }),
    ...(redirectAbove === undefined ? {} : { redirectAboveBytes: redirectAbove }),
    ...(signedUrlSeconds === undefined ? {} : { signedUrlSeconds }),
  };
}
