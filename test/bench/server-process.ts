import { fork } from 'node:child_process';
import type { ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A server in a separate process, so that the work of the client is not measured. */
export interface ServerProcess {
  /** The message that it sent when it was ready. */
  readonly ready: Ready;
  readonly pid: number;
  /** Returns the peak resident memory on Linux, and NaN on other systems. */
  peakBytes(): Promise<number>;
  /** Sends a message to its program. */
  send(message: number): void;
  stop(): Promise<void>;
}

export interface Ready {
  readonly baseUrl: string;
  readonly key: string;
  /** Empty if there is no control interface. */
  readonly controlToken: string;
}

/** Starts a program of `programs/` and shows its standard error. */
async function startProgram(
  name: string,
  args: readonly string[] = [],
  options: ForkOptions = {},
): Promise<ServerProcess> {
  const program = fileURLToPath(new URL(`./programs/${name}/main.js`, import.meta.url));
  const child = fork(program, args, options);
  const [ready] = (await once(child, 'message')) as [Ready];
  return {
    ready,
    pid: child.pid ?? 0,
    async peakBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
    },
    send: (message) => void child.send(message),
    async stop() {
      const gone = once(child, 'close');
      child.kill();
      await gone;
    },
  };
}

/** Starts the reference server with this store and world. */
export function startReference(
  store: object,
  world: 'small' | 'large' = 'small',
): Promise<ServerProcess> {
  return startProgram('reference', [JSON.stringify(store), world]);
}

/** Starts the reference server in memory, with a clock whose speed can be set. */
export function startHurried(): Promise<ServerProcess> {
  return startProgram('hurried');
}

/** `node:http` that responds to every request with an empty object. */
export function startBare(): Promise<ServerProcess> {
  return startProgram('bare');
}

/** `node:http` over one file in a folder: GET sends it, PUT writes it and waits for the disk. */
export function startFiles(folder: string): Promise<ServerProcess> {
  return startProgram('files', [folder]);
}

/**
 * `node:http` that parses the body of each request and appends a record to a file in a folder. One write and one sync
 * for all requests that wait.
 */
export function startSyncedAppend(folder: string): Promise<ServerProcess> {
  return startProgram('synced-append', [folder]);
}

/** An app with a route beside its receiver, whose syncs are slowed by a preloaded library. */
export function startSlowDiskApp(
  library: string,
  ...file: readonly string[]
): Promise<ServerProcess> {
  const execArgv = [`LD_PRELOAD=${library}`, 'node'];
  return startProgram('slow-disk-app', file, { execPath: 'env', execArgv });
}
