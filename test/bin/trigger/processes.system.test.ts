import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { hookproof, PROGRAM } from '../hookproof.ts';
import { plainApp, SECRET } from './apps.ts';
import { to } from './expected-scenarios.ts';
import { inProcess } from './in-process.ts';

test('what hookproof listen saved reaches another app with the same bytes', async () => {
  const save = emptyFolder();
  const args = ['listen', '--port', '0', '--json', '--save', save];
  const listener = spawn(process.execPath, [PROGRAM, ...args], { cwd: emptyFolder() });
  onTestFinished(() => void listener.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: listener.stdout }), 'line');
  const { url }: { url: string } = JSON.parse(line);
  await to(url, 'omitted-output', '--seed', '1');
  await expect.poll(() => readdirSync(save)).toHaveLength(4);
  const app = await plainApp();
  for (const folder of readdirSync(save).toSorted()) {
    expect((await to(app.url, '--from', join(save, folder))).code).toBe(0);
  }
  const { stdout } = await inProcess(['trigger', 'omitted-output', '--seed', '1', '--print']);
  expect(app.accepted.map((body) => `${body.toString()}\n`).join('')).toBe(stdout);
});

test('the secret can come from the environment, in a process of its own', async () => {
  const app = await plainApp();
  const env = { WEBHOOK_SECRET: SECRET, XDG_STATE_HOME: emptyFolder() };
  const { code, stdout, stderr } = await hookproof(['trigger', '--to', app.url], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^4 deliveries got 2xx as expected\.$/m);
  expect(stdout).not.toContain('\u001B');
  expect(app.accepted).toHaveLength(4);
});
