import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { expect, it, onTestFinished } from 'vitest';

import { hookproof } from '../../bin/hookproof.ts';
import { compiledProgram } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { SECRET } from '../started-receiver.ts';

const SERVE_MODULE = compiledProgram(new URL('programs/serve-module.ts', import.meta.url));
const EXAMPLES = new URL('../../../receiver/examples/dist/', import.meta.url);

/** A platform loads the others and calls what they export. */
const LISTENING = ['express', 'koa', 'fastify', 'hono'];
const CALLED = ['fetch', 'lambda'];

/** Starts an example as a process and waits until it listens. */
async function start(name: string) {
  const program = fileURLToPath(new URL(`${name}/main.js`, EXAMPLES));
  const args = LISTENING.includes(name) ? [program] : [SERVE_MODULE, program];
  const child = spawn(process.execPath, ['--no-warnings', ...args], {
    env: {
      WEBHOOK_SECRET: SECRET,
      DATABASE_FILE: path.join(emptyFolder(), 'events.db'),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  await expect.poll(() => text.out + text.err).toMatch(/^listening/m);
  const [, port = ''] = /port: (\d+)/.exec(text.out) ?? [];
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
    return child.exitCode;
  };
  return { url: `http://127.0.0.1:${port}/hooks`, origin: `http://127.0.0.1:${port}/`, text, stop };
}

async function deliverRun(url: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const event of runTimeline(['pending', 'running', 'completed'])) {
    const { headers, body } = signEvent(event, { secret: SECRET });
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    statuses.push((await fetch(url, init)).status, (await fetch(url, init)).status);
  }
  return statuses;
}

it.each([...LISTENING, ...CALLED])(
  'the example %s accepts deliveries, handles them, stops cleanly, and conforms to the contract',
  async (name) => {
    const { url, origin, text, stop } = await start(name);
    expect(await deliverRun(url)).toEqual([202, 200, 202, 200, 202, 200]);
    if (name !== 'lambda') await expect.poll(() => text.out).toContain('completed exec_1');
    const isListening = LISTENING.includes(name);
    if (isListening) {
      expect(await (await fetch(origin)).text()).toBe('The webhook is at /hooks.');
      expect(text.err).toBe('');
    }
    const checked = await hookproof(['check', '--receiver', url, '--secret', SECRET]);
    expect(checked.stdout).toMatch(/^conformant /m);
    expect(checked.code).toBe(0);
    if (isListening) expect(await stop()).toBe(0);
  },
);
