import { realpathSync, rmSync } from 'node:fs';

import { UsageError } from '../command-line/errors.ts';
import { isRunning, readServerFile, serverFiles } from './server-file.ts';
import type { RunningServer } from './server-file.ts';

const TIMEOUT_MILLISECONDS = 2_000;

/**
 * Finds the running server of this user. Removes the files of servers that were killed.
 *
 * @param given - the file to read; undefined for the user's folder for state
 * @returns null if none is running
 * @throws {UsageError} if several are running, and if the only one does not respond
 */
export async function findServer(
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<RunningServer | null> {
  const files = serverFiles(given, environment);
  const states = await Promise.all(files.map(runningIn));
  const found = states.flatMap(({ running }) => running ?? []);
  const [silent] = states.flatMap((state) => state.silent);
  if (found.length === 0 && silent !== undefined) {
    throw new UsageError(
      `The running server must respond, but the one at ${silent.baseUrl} (process ${silent.pid}) does not within ${TIMEOUT_MILLISECONDS / 1000} s. Resume or end the process, or select another target with --base-url.`,
    );
  }
  if (found.length <= 1) return found[0] ?? null;
  const urls = found.map(({ baseUrl, pid }) => `${baseUrl} (process ${pid})`).join(', ');
  throw new UsageError(
    `${found.length} local platforms are running: ${urls}. Select one with --base-url or HOOKPROOF_STATE_FILE.`,
  );
}

/** Returns who has a port, for a message: a program of ours with its process if it is known, or another program. */
export async function portHolder(port: number, environment: NodeJS.ProcessEnv): Promise<string> {
  const hasPort = (url: string): boolean => Number(new URL(url).port) === port;
  const server = (await runningServers(environment)).find(
    ({ baseUrl, appUrl }) => hasPort(baseUrl) || hasPort(appUrl),
  );
  if (server !== undefined) return `another hookproof serve (process ${server.pid})`;
  // The state of a server can be in another folder, which only its own environment names.
  const page = await textAt(`http://127.0.0.1:${port}/_dashboard/`);
  if (page.startsWith('hookproof listen ')) return 'another hookproof listen';
  return page.includes('<title>Hookproof</title>')
    ? 'another hookproof serve, which has its state in another folder'
    : 'another program';
}

/** Returns the running server of this user that has the lock of a folder, for a message; null if none is known. */
export async function folderHolder(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const path = realpathSync(folder);
  const server = (await runningServers(environment)).find(({ dataFolder }) => dataFolder === path);
  return server === undefined
    ? null
    : `another hookproof serve (process ${server.pid}, ${server.baseUrl})`;
}

async function runningServers(environment: NodeJS.ProcessEnv): Promise<RunningServer[]> {
  const given = environment['HOOKPROOF_STATE_FILE'] || undefined;
  const files = [...serverFiles(undefined, environment), ...(given === undefined ? [] : [given])];
  const states = await Promise.all(files.map(runningIn));
  return states.flatMap(({ running, silent }) => silent.concat(running ?? []));
}

/** Returns what a local program responds; nothing if it does not speak HTTP. */
async function textAt(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    return await response.text();
  } catch {
    return '';
  }
}

/** The servers of a file. */
interface Servers {
  /** The newest that responds. */
  readonly running: RunningServer | null;
  /** Newer ones whose process exists and does not respond in time. */
  readonly silent: readonly RunningServer[];
}

async function runningIn(file: string): Promise<Servers> {
  const servers = readServerFile(file);
  const silent: RunningServer[] = [];
  for (const server of servers) {
    const response = await responseOf(server);
    if (response === 'right') return { running: server, silent };
    if (response === 'none' && isRunning(server.pid)) silent.push(server);
  }
  if (servers.length > 0 && !servers.some(({ pid }) => isRunning(pid)))
    rmSync(file, { force: true });
  return { running: null, silent };
}

/** Another program can have the port or the process id meanwhile, but not the token. */
async function responseOf({
  controlUrl,
  controlToken,
}: RunningServer): Promise<'right' | 'wrong' | 'none'> {
  try {
    const response = await fetch(`${controlUrl}/clock`, {
      headers: { authorization: `Bearer ${controlToken}` },
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    await response.body?.cancel();
    return response.status === 200 ? 'right' : 'wrong';
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'none' : 'wrong';
  }
}
