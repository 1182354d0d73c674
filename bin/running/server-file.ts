import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { isRecord } from '../command-line/config-file.ts';
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
 * Writes the file of a running server, which only its user can read. Returns a function that removes it.
 *
 * @throws {UsageError} when the file cannot be written
 */
export function writeServerFile(file: string, server: RunningServer): () => void {
  if (existsSync(file) && readServerFile(file) === null) {
    throw new UsageError(
      `--state-file must be a new file or that of a server, but ${file} is neither. Use another file.`,
    );
  }
  const unfinished = `${file}.${server.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, JSON.stringify({ format: FORMAT, ...server }), {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(unfinished, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `--state-file must be a file that this user can write, but ${file} cannot be written: ${reason}. Use another file.`,
    );
  }
  return () => {
    // Another server may have replaced it.
    if (readServerFile(file)?.pid === server.pid) rmSync(file, { force: true });
  };
}

/** Reads the file of a server. Returns null for a file that is missing, of another user or not ours. */
export function readServerFile(file: string): RunningServer | null {
  try {
    if (!isPrivate(file)) return null;
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isServer(read) ? read : null;
  } catch {
    return null;
  }
}

/** The file names a server that gets keys, so only its user may have written it. Windows has no modes. */
function isPrivate(file: string): boolean {
  const { mode, uid } = statSync(file);
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o077) === 0);
}

function isServer(value: unknown): value is RunningServer {
  if (!isRecord(value) || value['format'] !== FORMAT || !Number.isInteger(value['pid']))
    return false;
  return TEXTS.every((name) => typeof value[name] === 'string');
}
