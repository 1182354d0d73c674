import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

import { ROOT } from '../../compiled-program.ts';
import type { RunningReceiver } from './running-receiver.ts';
import { SECRET } from './secret.ts';

const PROGRAM = join(ROOT, 'test', 'proof', 'receivers', 'python_receiver.py');

/** A receiver that is a program in Python with nothing but its standard library. */
export async function startPythonReceiver(): Promise<RunningReceiver> {
  const child = spawn('python3', [PROGRAM], {
    env: { ...process.env, WEBHOOK_SECRET: SECRET },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  if (done === true) throw new Error('the receiver in Python ended at once');
  const base = `http://127.0.0.1:${value}`;
  return {
    url: `${base}/hook`,
    observerUrl: `${base}/observer`,
    async close() {
      const ended = once(child, 'close');
      child.stdin.end();
      await ended;
    },
  };
}
