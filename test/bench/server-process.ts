import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, so that the client's work is not taken for the server's. */
export interface ServerProcess {
  /** What it said when it was ready. */
  readonly ready: Ready;
  stop(): Promise<void>;
}

export interface Ready {
  readonly baseUrl: string;
  readonly key: string;
}

/** Starts a program of `programs/`; anything that it complains of is shown. */
async function startProgram(name: string, ...args: readonly string[]): Promise<ServerProcess> {
  const program = fileURLToPath(new URL(`./programs/${name}/main.js`, import.meta.url));
  const child = fork(program, args);
  const [ready] = (await once(child, 'message')) as [Ready];
  return {
    ready,
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

/** `node:http` that answers every request with an empty object. */
export function startBare(): Promise<ServerProcess> {
  return startProgram('bare');
}
