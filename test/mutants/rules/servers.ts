import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RetryProfileName } from '@hookproof/server-reference';

import { ROOT } from '../../compiled-program.ts';

/** What a server can be told; everything has a default. */
export interface StartOptions {
  /** What the build is imported by. Default: the reference. */
  readonly room?: string;
  readonly retryProfile?: RetryProfileName;
  /** Where it keeps its state. Default: in memory. */
  readonly folder?: string;
  readonly port?: number;
  /** Where its clock stands at first. */
  readonly now?: number;
  /** How long `advance` waits for an endpoint that does not answer. Default 3000. */
  readonly patienceMilliseconds?: number;
}

/** A server on a virtual clock. */
export interface StartedServer {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  close(): Promise<void>;
}

/** A process in which servers are started, of several builds one after another. */
export interface ServerProcess {
  /** Whether it is still there. */
  isAlive(): boolean;
  start(options?: StartOptions): Promise<StartedServer>;
  /** Kills it with SIGKILL and resolves when it is gone. */
  kill(): Promise<void>;
}

export const START = Date.parse('2026-07-01T00:00:00.000Z');
const PROGRAM = join(ROOT, 'test/mutants/targets/lab.mjs');
const DEFAULTS: StartOptions = {
  room: '@hookproof/server-reference',
  now: START,
  patienceMilliseconds: 3_000,
};

interface Reply {
  readonly number: number;
  readonly started?: Omit<StartedServer, 'close'> | null;
  readonly failure?: string;
}

export function openProcess(): ServerProcess {
  const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const waiting = new Map<number, (reply: Reply) => void>();
  let asked = 0;
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  child.on('message', (reply: Reply) => waiting.get(reply.number)?.(reply));
  const gone = once(child, 'exit').then(() => {
    for (const [number, settle] of waiting) settle({ number, failure: `it has ended: ${errors}` });
  });

  async function ask(number: number, options?: StartOptions): Promise<Reply> {
    const replied = new Promise<Reply>((resolve) => waiting.set(number, resolve));
    if (child.connected) child.send({ number, options });
    else return { number };
    const reply = await replied;
    waiting.delete(number);
    if (reply.failure !== undefined) throw new Error(`a server did not start: ${reply.failure}`);
    return reply;
  }

  return {
    isAlive: () => child.connected,
    async start(options) {
      asked += 1;
      const number = asked;
      const { started } = await ask(number, { ...DEFAULTS, ...options });
      if (started == null) throw new Error('the process has ended');
      return { ...started, close: async () => void (await ask(number)) };
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
