import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, so that the client's work is not taken for the server's. */
export interface ServerProcess {
  /** What it printed when it was ready. */
  readonly ready: Ready;
  stop(): Promise<void>;
}

export interface Ready {
  readonly baseUrl: string;
  readonly key: string;
}

/** Runs a program that prints {@link Ready} as one line of JSON; anything that it complains of is shown. */
export async function startProcess(program: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    ready: JSON.parse(line) as Ready,
    async stop() {
      const gone = once(child, 'close');
      child.kill();
      await gone;
    },
  };
}

/** The program that runs the reference server on this store. */
export function serverProgram(store: object): string {
  return `
    import { createServer } from '@hookproof/server-reference';
    const { baseUrl, world } = await createServer({ store: ${JSON.stringify(store)} });
    console.log(JSON.stringify({ baseUrl, key: world.keys.wildcard }));`;
}
