import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { signEvent, runStatusChangedEvent } from '@hookproof/receiver/testing';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { listenAt, statuses } from '../server-reference/events/endpoint-listener.ts';
import { PROGRAM, serve, stateFile } from './hookproof.ts';

const SECRET = 'whsec_bGlzdGVuIHRvIGEgcGxhdGZvcm0=';

interface Piped {
  /** What it has written until the output was closed. */
  readonly written: string;
  /** Resolves with the exit code, or with the signal that ended the process. */
  readonly exit: Promise<number | string>;
}

/** Starts a command, reads its output up to a text and closes it, as `head` does. */
async function closedAfter(
  wanted: RegExp,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Piped> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'], HOOKPROOF_STATE_FILE: stateFile(), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal);
  let written = '';
  for await (const chunk of child.stdout) {
    written += String(chunk);
    if (wanted.test(written)) break;
  }
  return { written, exit };
}

test('listen ends with 0 at the first line without a reader, after it has saved the delivery', async () => {
  const save = emptyFolder();
  const args = ['listen', '--port', '0', '--secret', SECRET, '--save', save, '--json'];
  const { written, exit } = await closedAfter(/\n/, args);
  const { url }: { url: string } = JSON.parse(written);
  const { headers, body } = signEvent(runStatusChangedEvent(), { secret: SECRET });
  const response = await fetch(url, { method: 'POST', headers, body: body.toString() });
  expect(response.status).toBe(204);
  expect(await exit).toBe(0);
  const [folder = ''] = readdirSync(save);
  expect(readdirSync(join(save, folder))).toContain('meta.json');
});

test('serve ends with 0 at the first line without a reader, and can no longer be found', async () => {
  const file = join(emptyFolder(), 'server.json');
  const args = ['serve', '--port', '0', '--log', '--json', '--state-file', file];
  const { written, exit } = await closedAfter(/\n/, args);
  expect(existsSync(file)).toBe(true);
  const { baseUrl }: { baseUrl: string } = JSON.parse(written.split('\n')[0] ?? '');
  await fetch(`${baseUrl}/v1/auth/check`);
  expect(await exit).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test('trigger sends no further round, and does not wait for the retries of the one before', async () => {
  const app = await listenAt(statuses(503));
  const args = ['trigger', '--to', app.url, '--secret', SECRET, '--times', '10000'];
  const { exit } = await closedAfter(/run\.created/, args);
  expect(await exit).toBe(1);
  // A round has four events.
  expect(new Set(app.arrivals.map(({ headers }) => headers['webhook-id'])).size).toBeLessThan(9);
});

test('check ends with its own exit code, and writes its reports', async () => {
  const { baseUrl, keys } = await serve();
  const file = join(emptyFolder(), 'report.json');
  const report = ['--only', 'api.template.page-size', '--report', `json=${file}`];
  const args = ['check', '--base-url', baseUrl, '--key', keys.wildcard, ...report];
  const { exit } = await closedAfter(/^/, args);
  expect(await exit).toBe(0);
  expect(existsSync(file)).toBe(true);
});
