import { rmSync } from 'node:fs';

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
    `One server must be running to be found, got ${found.length}: ${urls}. Select one with --base-url or HOOKPROOF_STATE_FILE.`,
  );
}

/** Returns the running server of this user that has a port. */
export async function serverAtPort(
  port: number,
  environment: NodeJS.ProcessEnv,
): Promise<RunningServer | null> {
  const found = await Promise.all(serverFiles(undefined, environment).map(runningIn));
  const hasPort = (url: string): boolean => Number(new URL(url).port) === port;
  return found.find((one) => one !== null && (hasPort(one.baseUrl) || hasPort(one.appUrl))) ?? null;
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
