import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { request } from 'undici';

import { SECRET } from './delivery.ts';

// This runs compiled, from test/tools/bench/dist.
export const PEERS: URL = new URL('../peers/', import.meta.url);
/** The peers are installed in a folder of their own. */
export const requirePeer: NodeJS.Require = createRequire(PEERS);

/** A server in a process of its own, so that the work of the client is not measured. */
export interface ServerProcess<Ready = { readonly baseUrl: string }> {
  /** The message that it sent when it was ready. */
  readonly ready: Ready;
  stop(): Promise<void>;
}

function stopOf(child: ChildProcess): () => Promise<void> {
  const closed = once(child, 'close');
  return async () => {
    child.kill();
    await closed;
  };
}

/** Forks a program of `programs/`. */
export function forkProgram(name: string, ...args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(`programs/${name}.js`, import.meta.url)), args);
}

/** Starts a server of `programs/serve.ts`. */
export async function startServer<Ready = { readonly baseUrl: string }>(
  ...args: readonly string[]
): Promise<ServerProcess<Ready>> {
  const child = forkProgram('serve', ...args);
  const stop = stopOf(child);
  const [ready] = (await once(child, 'message')) as [Ready];
  return { ready, stop };
}

/** What clients of the reference server must know. */
export interface Reference {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly key: string;
  readonly fixtures: Readonly<Record<'folderId' | 'workflowId', string>>;
}

/** Starts the reference server, in memory or with a data folder. */
export function startReference(folder?: string): Promise<ServerProcess<Reference>> {
  return startServer('reference', ...(folder === undefined ? [] : [folder]));
}

/** Calls the control interface, and returns the body of its response. */
export async function control<Result>(
  { controlUrl, controlToken }: Pick<Reference, 'controlUrl' | 'controlToken'>,
  path: string,
  json: object,
): Promise<Result> {
  const { statusCode, body } = await request(controlUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const received = await body.text();
  if (statusCode >= 300)
    throw new Error(`POST ${path} must get 2xx, got ${statusCode}: ${received}`);
  return JSON.parse(received) as Result;
}

/** Starts prism's mock of an OpenAPI document, without its log, and waits until it responds. */
export async function startPrism(document: URL): Promise<ServerProcess> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  probe.close();
  await once(probe, 'close');
  const args = ['mock', fileURLToPath(document), '-p', String(port), '-v', 'silent'];
  const child = fork(requirePeer.resolve('@stoplight/prism-cli'), args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(baseUrl).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) await sleep(100);
  return { ready: { baseUrl }, stop: stopOf(child) };
}

/** Starts the example of a consumer, which lists the events that it handled at `/observer`. */
export async function startConsumer(): Promise<ServerProcess> {
  const program = new URL('../../../../receiver/examples/dist/consumer/main.js', import.meta.url);
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env: { WEBHOOK_SECRET: SECRET, DATABASE_FILE: ':memory:', GAP_GRACE_MILLISECONDS: '500' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = stopOf(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { listening: baseUrl }: { listening: string } = JSON.parse(line);
  child.stdout.resume();
  return { ready: { baseUrl }, stop };
}

/** PostgreSQL is not installed; its message says how to install it. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError';
}

const NOT_INSTALLED = 127;

/**
 * Starts PostgreSQL with the program that the tests use.
 *
 * @throws {NotInstalledError}
 */
export async function startPostgres(): Promise<ServerProcess> {
  const program = new URL('../../../dist/services/programs/serve.js', import.meta.url);
  const child = fork(fileURLToPath(program), ['postgres'], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  if (child.stdout === null || child.stderr === null) throw new Error('The program has no output.');
  const errors = text(child.stderr);
  const ended = exited.then(async ([code]) => {
    const message = (await errors).trim();
    throw code === NOT_INSTALLED ? new NotInstalledError(message) : new Error(message);
  });
  const lines = createInterface({ input: child.stdout });
  const [baseUrl] = await Promise.race([once(lines, 'line') as Promise<[string]>, ended]);
  return {
    ready: { baseUrl },
    async stop() {
      child.stdin?.end();
      await exited;
    },
  };
}
