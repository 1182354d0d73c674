import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { makeFolder } from '../command-line/make-folder.ts';
import { isRecord } from '../command-line/json-file.ts';
import { UsageError } from '../command-line/errors.ts';
import { stateFolder } from '../command-line/state-folder.ts';

/** What other commands need to use a running server. */
export interface RunningServer {
  readonly pid: number;
  /** ISO 8601, by the clock of the machine. */
  readonly startedAt: string;
  readonly baseUrl: string;
  readonly appUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  /** The wildcard key of the default world. */
  readonly key: string;
  /** The absolute path of the folder that it has the lock of; missing without one. */
  readonly dataFolder?: string;
}

/** The version of the file. Files of other versions are ignored. */
const FORMAT = 1;
const TEXTS = ['startedAt', 'baseUrl', 'appUrl', 'controlUrl', 'controlToken', 'key'] as const;

/** The folder in which each running server has a file. */
export function serversFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), 'servers');
}

/** Returns the files to look for a running server in: the given one, or all in the user's folder for state. */
export function serverFiles(given: string | undefined, environment: NodeJS.ProcessEnv): string[] {
  if (given !== undefined) return [given];
  const folder = serversFolder(environment);
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/**
 * Adds a running server to a file, which only its user can read, before the servers that are in it and still run.
 * Returns a function that takes it out again.
 *
 * @throws {UsageError} when the file cannot be written
 */
export function writeServerFile(file: string, server: RunningServer): () => void {
  const former = readServerFile(file);
  if (existsSync(file) && former.length === 0) {
    throw new UsageError(
      `--state-file must be a new file or that of a server, but ${file} is neither. Use another file.`,
    );
  }
  try {
    makeFolder(dirname(file), 0o700);
    replaceFile(file, [server, ...othersIn(former, server)]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `--state-file must be a file that this user can write, but ${file} cannot be written: ${reason}. Use another file.`,
    );
  }
  return () => {
    const servers = readServerFile(file);
    if (!servers.some(({ pid }) => pid === server.pid)) return;
    const others = othersIn(servers, server);
    if (others.length === 0) rmSync(file, { force: true });
    else replaceFile(file, others);
  };
}

/** Another server can use the same file. It must be found again when the newer one has ended. */
function othersIn(servers: readonly RunningServer[], { pid }: RunningServer): RunningServer[] {
  return servers.filter((other) => other.pid !== pid && isRunning(other.pid));
}

function replaceFile(file: string, [newest, ...earlier]: readonly RunningServer[]): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, JSON.stringify({ format: FORMAT, ...newest, earlier }), {
    mode: 0o600,
    flag: 'wx',
  });
  renameSync(unfinished, file);
}

/** Reads the servers of a file, newest first. Returns none for a file that is missing, of another user or not ours. */
export function readServerFile(file: string): RunningServer[] {
  try {
    if (!isPrivate(file)) return [];
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(read) || read['format'] !== FORMAT || !isServer(read)) return [];
    const { earlier }: Record<string, unknown> = read;
    return [read, ...(Array.isArray(earlier) ? earlier.filter(isServer) : [])];
  } catch {
    return [];
  }
}

/** Returns whether a process exists. Another program can have the id of one that has ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: a process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The file names a server that gets keys, so only its user may have written it. Windows has no modes. */
function isPrivate(file: string): boolean {
  const { mode, uid } = statSync(file);
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o077) === 0);
}

function isServer(value: unknown): value is RunningServer {
  if (!isRecord(value) || !Number.isInteger(value['pid'])) return false;
  return TEXTS.every((name) => typeof value[name] === 'string');
}
