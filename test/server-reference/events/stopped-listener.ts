import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

import { onTestFinished } from 'vitest';

/** Sends a head on the line `head`, and never the whole body. */
const SCRIPT = `
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const server = createServer((request, response) => {
  request.resume().on('end', () => console.log('request'));
  createInterface(process.stdin).on('line', () => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => console.log('sent'));
  });
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => console.log(server.address().port));
`;

/** An endpoint in a stopped process, so that a connection to it is never established. */
interface StoppedListener {
  readonly url: string;
  /** Continues the process; resolves when a request has arrived. */
  readonly resume: () => Promise<void>;
  /** Sends a head and half of a body; resolves when they have been sent. */
  readonly sendHead: () => Promise<void>;
}

/** The accept queue is full: the system lets further connections wait. */
export async function listenStopped(): Promise<StoppedListener> {
  const child = spawn('node', ['--input-type=module', '--eval', SCRIPT], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const [port] = await once(lines, 'line');
  child.kill('SIGSTOP');
  const fillers = [1, 2].map(() => connect(Number(port), '127.0.0.1'));
  onTestFinished(() => {
    for (const filler of fillers) filler.destroy();
    child.kill('SIGKILL');
  });
  await Promise.all(fillers.map((filler) => once(filler, 'connect')));
  return {
    url: `http://127.0.0.1:${port}/`,
    async resume() {
      const request = once(lines, 'line');
      child.kill('SIGCONT');
      await request;
    },
    async sendHead() {
      const sent = once(lines, 'line');
      child.stdin.write('head\n');
      await sent;
    },
  };
}
