import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import type { World } from '@hookproof/server-reference';

import { compiledProgram } from '../compiled-program.ts';

/** A server in its own process. */
export interface ServerProcess {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly world: World;
  /** Kills it with SIGKILL and resolves when it has ended. */
  kill(): Promise<void>;
}

const SCRIPT = compiledProgram(new URL('programs/serve-folder.ts', import.meta.url));

/** Starts it on a folder; rejects with its standard error if it ends instead. */
export async function startServerProcess(folder: string): Promise<ServerProcess> {
  const child = spawn('node', [SCRIPT, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    void gone.then(() => reject(new Error(complaint)));
  });
  const ready: Omit<ServerProcess, 'kill'> = JSON.parse(line);
  return {
    ...ready,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
