import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// This runs compiled, from test/tools/bench/dist.
const requirePeer = createRequire(new URL('../peers/package.json', import.meta.url));

export interface MockServer {
  readonly baseUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts prism's mock of an OpenAPI document, without its log, and waits until it responds. */
export async function startPrism(document: URL): Promise<MockServer> {
  const port = await freePort();
  const program = requirePeer.resolve('@stoplight/prism-cli');
  const args = ['mock', fileURLToPath(document), '-p', String(port), '-v', 'silent'];
  const child = fork(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const baseUrl = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(baseUrl).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) await sleep(100);
  return {
    baseUrl,
    pid: child.pid ?? 0,
    async stop() {
      const gone = once(child, 'close');
      child.kill();
      await gone;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
