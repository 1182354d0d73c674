import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, so that the client's work is not taken for the server's. */
export interface ServerProcess {
  /** What it said when it was ready. */
  readonly ready: Ready;
  /** The most memory that it ever had resident, as Linux tells; NaN elsewhere. */
  peakBytes(): Promise<number>;
  /** Sends it a message that its program understands. */
  tell(message: number): void;
  stop(): Promise<void>;
}

export interface Ready {
  readonly baseUrl: string;
  readonly key: string;
  /** Empty where there is no control interface. */
  readonly controlToken: string;
}

/** Starts a program of `programs/`; anything that it complains of is shown. */
async function startProgram(name: string, ...args: readonly string[]): Promise<ServerProcess> {
  const program = fileURLToPath(new URL(`./programs/${name}/main.js`, import.meta.url));
  const child = fork(program, args);
  const [ready] = (await once(child, 'message')) as [Ready];
  return {
    ready,
    async peakBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
    },
    tell: (message) => void child.send(message),
    async stop() {
      const gone = once(child, 'close');
      child.kill();
      await gone;
    },
  };
}

/** The reference server on this store. */
export function startReference(store: object): Promise<ServerProcess> {
  return startProgram('reference', JSON.stringify(store));
}

/** Starts the reference server in memory, with a clock whose speed can be set. */
export function startHurried(): Promise<ServerProcess> {
  return startProgram('hurried');
}

/** `node:http` that answers every request with an empty object. */
export function startBare(): Promise<ServerProcess> {
  return startProgram('bare');
}

/** `node:http` over one file in a folder: GET sends it, PUT writes it and waits for the disk. */
export function startFiles(folder: string): Promise<ServerProcess> {
  return startProgram('files', folder);
}
