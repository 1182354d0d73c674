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
 * @throws {UsageError} if several are running
 */
export async function findServer(
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<RunningServer | null> {
  const files = serverFiles(given, environment);
  const found = (await Promise.all(files.map(runningIn))).filter((server) => server !== null);
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
  return (await Promise.all(files.map(runningIn))).filter((server) => server !== null);
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

/** Returns the newest server of a file that responds. */
async function runningIn(file: string): Promise<RunningServer | null> {
  const servers = readServerFile(file);
  for (const server of servers) if (await responds(server)) return server;
  if (servers.length > 0 && !servers.some(({ pid }) => isRunning(pid)))
    rmSync(file, { force: true });
  return null;
}

/** Another program can have the port or the process id meanwhile, but not the token. */
async function responds({ controlUrl, controlToken }: RunningServer): Promise<boolean> {
  try {
    const response = await fetch(`${controlUrl}/clock`, {
      headers: { authorization: `Bearer ${controlToken}` },
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
