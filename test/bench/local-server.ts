import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVE = fileURLToPath(new URL('../../dist/services/programs/serve.js', import.meta.url));

export interface LocalServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a database or queue server with the program that the tests use. It must be installed. */
export async function startLocalServer(
  kind: 'postgres' | 'redis' | 'nats',
  options: readonly string[] = [],
): Promise<LocalServer> {
  const child = fork(SERVE, [kind, ...options], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('The program must have an output.');
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async stop() {
      child.stdin?.end();
      await exited;
    },
  };
}
