import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SERVE = fileURLToPath(new URL('../../../dist/services/programs/serve.js', import.meta.url));

export interface LocalServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server is not installed; its message says how to install it. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError';
}

const NOT_INSTALLED = 127;

/**
 * Starts a database or queue server with the program that the tests use.
 *
 * @throws {NotInstalledError}
 */
export async function startLocalServer(
  kind: 'postgres' | 'redis' | 'nats',
  options: readonly string[] = [],
): Promise<LocalServer> {
  const child = fork(SERVE, [kind, ...options], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  if (child.stdout === null || child.stderr === null) throw new Error('The program has no output.');
  const errors = text(child.stderr);
  const ended = exited.then(async ([code]) => {
    const message = (await errors).trim();
    throw code === NOT_INSTALLED ? new NotInstalledError(message) : new Error(message);
  });
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([once(lines, 'line') as Promise<[string]>, ended]);
  return {
    url,
    async stop() {
      child.stdin?.end();
      await exited;
    },
  };
}
