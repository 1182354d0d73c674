import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** PostgreSQL refuses to run as root, so root starts servers as user 65534, which owns nothing. */
export const UNPRIVILEGED: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** The line that says that the server accepts connections. */
  readonly ready: RegExp;
}

/** Starts a server, and resolves when it accepts connections. */
export async function launch({ command, args, ready }: Launch): Promise<ChildProcess> {
  // In a process group of its own, so that Ctrl-C reaches only the program that stops it in order.
  const server = spawn(command, args, {
    ...UNPRIVILEGED,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-10_000);
      if (ready.test(output)) resolve();
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`${command} must start, got: ${output}`)));
  });
  return server;
}

/** Ends a server, by force when it takes longer than a few seconds. */
export async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  const force = setTimeout(() => server.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(force);
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A port must be a number.');
  return address.port;
}
